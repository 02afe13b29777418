/** Text of a style sheet, bundled into the chunk: see `build.mjs`. */
declare module "*.css" {
  const style: string;
  export default style;
}
