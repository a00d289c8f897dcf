import { log, getErrorMessage } from './log.ts'

type InternalErrorListener = (task: string, error: unknown) => void

let listener: InternalErrorListener = () => undefined

export function setInternalErrorListener(callback: InternalErrorListener): void {
  listener = callback
}

/** Logs an internal error and reports it to the listener. `task`: one word that contains no camera name. */
export function reportInternalError(task: string, line: string, error: unknown): void {
  log(`${line}: ${getErrorMessage(error)}`)
  listener(task, error)
}
