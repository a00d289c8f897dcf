import type { ReadStream } from 'node:tty'
import { StopError } from './stop.ts'

const ENTER = ['\r', '\n']
const BACKSPACE = ['\b', '\u007f']
const CTRL_C = '\u0003'

/**
 * Reads a new password: typed twice on the terminal without echo, or the first line of piped input. Throws a
 * `StopError` if the typed passwords differ, the user presses Ctrl-C, or the piped line is empty.
 */
export async function promptNewPassword(
  input: NodeJS.ReadStream,
  print: (text: string) => void,
  name = 'password',
): Promise<string> {
  if (!input.isTTY) return readFirstLine(input, name)
  const password = await readTypedPassword(input, `${capitalize(name)} (at least 10 characters): `, print)
  if ((await readTypedPassword(input, `Confirm ${name}: `, print)) !== password)
    throw new StopError(`The ${name}s don't match. Nothing was changed. Try again.`)
  return password
}

/** Reads an existing password: typed on the terminal without echo, or the first line of piped input. */
export async function promptPassword(
  input: NodeJS.ReadStream,
  print: (text: string) => void,
  name: string,
): Promise<string> {
  return input.isTTY ? readTypedPassword(input, `${capitalize(name)}: `, print) : readFirstLine(input, name)
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

async function readFirstLine(input: NodeJS.ReadStream, name: string): Promise<string> {
  let text = ''
  for await (const chunk of input) text += String(chunk)
  const line = text.split(/\r?\n/)[0] ?? ''
  if (line === '') throw new StopError(`No ${name} was entered. Type it in the terminal, or pipe it in as one line.`)
  return line
}

function readTypedPassword(input: ReadStream, prompt: string, print: (text: string) => void): Promise<string> {
  // Raw mode starts before the prompt, so that the terminal echoes no character even if the user types early.
  input.setRawMode(true)
  print(prompt)
  input.setEncoding('utf8').resume()
  return new Promise((resolve, reject) => {
    let text = ''
    const end = () => {
      input.off('data', read)
      input.setRawMode(false)
      input.pause()
      print('\n')
    }
    const read = (chunk: Buffer | string) => {
      for (const key of String(chunk)) {
        if (key === CTRL_C || ENTER.includes(key)) {
          end()
          if (key === CTRL_C) reject(new StopError('Stopped. Nothing was changed.'))
          else resolve(text)
          return
        }
        text = BACKSPACE.includes(key) ? text.slice(0, -1) : text + key
      }
    }
    input.on('data', read)
  })
}
