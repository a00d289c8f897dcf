/** Work of a Durable Object since its first start. Alarms and rows cause most of the costs on Cloudflare. */
export interface ObjectWork {
  readonly rowsWritten: number
  readonly alarms: number
  readonly messages: number
}
export interface CountedObject {
  readWork(): Promise<ObjectWork>
  runAlarm(): Promise<void>
}

/**
 * Additional source of the provider's Worker: replaces `Guard` and `Bridge` by subclasses that implement
 * `CountedObject`. As on Cloudflare, an alarm that is set counts as a written row.
 */
export const COUNTED_OBJECTS_SOURCE = `
import * as bundle from './index.js'
const counters = new Map()
function openCounter(ctx) {
  const counter = counters.get(ctx.id.toString()) ?? { cursors: [], alarmsSet: 0, alarms: 0, messages: 0 }
  counters.set(ctx.id.toString(), counter)
  const { storage } = ctx
  const { sql } = storage
  const exec = sql.exec.bind(sql)
  const setAlarm = storage.setAlarm.bind(storage)
  Object.defineProperty(sql, 'exec', { value: (...args) => {
    const cursor = exec(...args)
    counter.cursors.push(cursor)
    return cursor
  } })
  Object.defineProperty(storage, 'setAlarm', { value: (...args) => {
    counter.alarmsSet += 1
    return setAlarm(...args)
  } })
  return counter
}
const countWork = (Base) => class extends Base {
  #counter
  constructor(ctx, env) {
    const counter = openCounter(ctx)
    super(ctx, env)
    this.#counter = counter
  }
  readWork() {
    const { cursors, alarmsSet, alarms, messages } = this.#counter
    return { rowsWritten: cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, alarmsSet), alarms, messages }
  }
  runAlarm() { return super.alarm() }
  alarm(info) {
    this.#counter.alarms += 1
    return super.alarm(info)
  }
  webSocketMessage(...args) {
    this.#counter.messages += 1
    return super.webSocketMessage(...args)
  }
}
export const Guard = countWork(bundle.Guard)
export const Bridge = countWork(bundle.Bridge)
`
