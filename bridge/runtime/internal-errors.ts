import { log, getErrorMessage } from './log.ts'

type Listener = (task: string, error: unknown) => void

let listener: Listener = () => undefined

export function onFault(callback: Listener): void {
  listener = callback
}

/** Logs an internal error and reports it to the listener; `task`: a word that names no camera. */
export function reportInternalError(task: string, line: string, error: unknown): void {
  log(`${line}: ${getErrorMessage(error)}`)
  listener(task, error)
}
