import type { ReadStream } from 'node:tty'
import { StopError } from './stop.ts'

const ENTER = ['\r', '\n']
const BACKSPACE = ['\b', '\u007f']
const CTRL_C = '\u0003'

/**
 * Reads a new password: typed twice on the terminal without echo, or the first line of piped input. Throws a
 * `StopError` if the typed passwords differ, the user presses Ctrl-C, or the piped line is empty.
 */
export async function promptNewPassword(input: NodeJS.ReadStream, print: (text: string) => void): Promise<string> {
  if (!input.isTTY) return readFirstLine(input)
  const password = await readTypedPassword(input, 'Password (at least 10 characters): ', print)
  if ((await readTypedPassword(input, 'Confirm password: ', print)) !== password)
    throw new StopError("The passwords don't match. Nothing was changed. Try again.")
  return password
}

async function readFirstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input) text += String(chunk)
  const line = text.split(/\r?\n/)[0] ?? ''
  if (line === '') throw new StopError('No password was entered. Type it in the terminal, or pipe it in as one line.')
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
