/** The one door to the terminal: what comes from a repository never reaches it as control. */

/**
 * Characters that move the cursor, recolour, or turn the direction of the text around them. Marks
 * that only say which way the text beside them runs (U+200E, U+200F) are left to those who need them.
 */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function code(character: string): string {
  return character.charCodeAt(0).toString(16);
}

/** Text with every control character but tab and newline made visible. */
export function printable(text: string): string {
  return text.replace(control, (character) => `\\u{${code(character)}}`);
}

/** JSON that means the same and holds no control character. */
export function json(document: object): string {
  const text = JSON.stringify(document, null, 2);
  return text.replace(control, (character) => `\\u${code(character).padStart(4, "0")}`);
}

/** A line that could not be written, such as to a full disk. */
export class Unwritten extends Error {}

/**
 * Writes a line; `false` once nobody reads any more, as behind `| head`.
 *
 * @throws {Unwritten}
 */
export function writeLine(stream: NodeJS.WriteStream, line: string): Promise<boolean> {
  // The callback tells of every failure; without a listener the stream would throw it as well.
  if (stream.listenerCount("error") === 0) stream.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => {
      if (!error) resolve(true);
      else if ((error as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
      else reject(new Unwritten(`The answer could not be written: ${error.message}.`));
    });
  });
}
