/** The text of a style sheet, in the chunk that brings it along: see `build.mjs`. */
declare module "*.css" {
  const style: string;
  export default style;
}
