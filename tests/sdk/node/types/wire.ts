// Types of bodies before a library decodes them, and the check of a body.

interface Decoded {
  toJSON(): string;
}

/** A type on the wire: dates and decimal numbers are strings, enums of strings are their texts. */
export type Wire<T> = 0 extends 1 & T
  ? T
  : T extends Decoded
    ? string
    : T extends string
      ? `${T}`
      : T extends object
        ? { [Name in keyof T]: Wire<Listed<T[Name]>> }
        : T;

/** The texts that a type lists, without any other text, which a library allows beside them. */
type Texts<T> = T extends string ? (string extends T ? never : T) : never;

/** A type with no text beside those that it lists, if it lists any. */
type Listed<T> = [Texts<T>] extends [never] ? T : Texts<T> | Exclude<T, string>;

/** The members of a union whose `type` is the name. */
export type Named<T, Name> = T extends { type: infer Type extends string }
  ? Name extends Type
    ? T
    : never
  : never;

/** Some members of a resource as they were; null where there was none. */
export type Previous<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]?: Previous<T[Name]> | null }
    : T;

/** Takes a body of the type; none if the type is `any`, as one is that could not be resolved. */
export declare function check<T>(body: 0 extends 1 & T ? never : T): void;
