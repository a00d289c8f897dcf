import { log, messageOf } from './log.ts'

type Listener = (task: string, error: unknown) => void

let listener: Listener = () => undefined

/** From now on `heard` is told of each fault. */
export function onFault(heard: Listener): void {
  listener = heard
}

/** Logs something that the bridge itself failed at, and tells of it; `task` is a word that names no camera. */
export function fault(task: string, line: string, error: unknown): void {
  log(`${line}: ${messageOf(error)}`)
  listener(task, error)
}
