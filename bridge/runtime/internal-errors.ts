import { log, getErrorMessage } from './log.ts'

type Listener = (task: string, error: unknown) => void

let listener: Listener = () => undefined

/** From now on `heard` is told of each fault. */
export function onFault(callback: Listener): void {
  listener = callback
}

/** Logs something that the bridge itself failed at, and tells of it; `task` is a word that names no camera. */
export function reportInternalError(task: string, line: string, error: unknown): void {
  log(`${line}: ${getErrorMessage(error)}`)
  listener(task, error)
}
