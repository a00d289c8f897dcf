import { DurableObject } from 'cloudflare:workers'
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  D1Database,
  D1PreparedStatement,
  DurableObjectState,
  DurableObjectStorage,
  R2Bucket,
} from '@cloudflare/workers-types'

/**
 * Runs in the Worker, beside its bundle: counts what Cloudflare bills. Patches the prototypes of the storage, because
 * the runtime accepts no replacement of `ctx`.
 */
export interface BilledWork {
  /** Rows that each Durable Object class, or `D1`, wrote. Index entries and `setAlarm` count as rows. */
  readonly rowsWritten: Record<string, number>
  readonly rowsRead: Record<string, number>
  /** Requests to Durable Objects by `Class.method`: HTTP requests, RPC calls, alarms and socket messages. */
  readonly objectRequests: Record<string, number>
  /** Round trips to D1. A batch is one round trip. */
  readonly d1Queries: number
  /** Round trips to R2 that read an object or its metadata. */
  readonly r2Reads: number
  /** Round trips to R2 that store an object (class A). */
  readonly r2Writes: number
  readonly workerRequests: number
}

type Counts = Record<string, number>
const rowsWritten: Counts = {}
const rowsRead: Counts = {}
const objectRequests: Counts = {}
let d1Queries = 0
let [r2Reads, r2Writes, workerRequests] = [0, 0, 0]

const add = (counts: Counts, name: string, count: number) => {
  if (count > 0) counts[name] = (counts[name] ?? 0) + count
}

const PATH = '/api/billed-work'

type Method = (this: unknown, ...args: unknown[]) => unknown
type Methods = Record<string, Method>

const patchedPrototypes = new WeakSet<object>()

/** Replaces methods of the object's prototype, once. */
function patchPrototype(object: object, patch: (prototype: Methods) => void): void {
  const prototype = Object.getPrototypeOf(object) as Methods
  if (patchedPrototypes.has(prototype)) return
  patchedPrototypes.add(prototype)
  patch(prototype)
}

function wrapMethod(prototype: Methods, name: string, wrap: (method: Method) => Method): void {
  const method = prototype[name]
  if (method) prototype[name] = wrap(method)
}

/** Class names of the objects that own these storages. */
const owners = new WeakMap<object, string>()
const getOwner = (storage: unknown) => owners.get(storage as object) ?? 'other'

function countStorage(storage: DurableObjectStorage, className: string): readonly object[] {
  const parts = [storage, storage.sql, storage.kv]
  for (const part of parts) owners.set(part, className)
  patchPrototype(storage.sql, countSqlRows)
  const countRow = (method: Method): Method =>
    function (...args) {
      add(rowsWritten, getOwner(this), 1)
      return method.apply(this, args)
    }
  patchPrototype(storage.kv, (prototype) => {
    for (const name of ['put', 'delete']) wrapMethod(prototype, name, countRow)
  })
  patchPrototype(storage, (prototype) => {
    for (const name of ['put', 'delete', 'setAlarm']) wrapMethod(prototype, name, countRow)
  })
  return parts
}

/** Statements of the local runtime, which stores the name of each object that wakes. Cloudflare does not run them. */
const LOCAL_SQL = /__miniflare_/

function countSqlRows(prototype: Methods): void {
  wrapMethod(prototype, 'exec', (exec) => {
    return function (...args) {
      const owner = getOwner(this)
      const cursor = exec.apply(this, args) as { readonly rowsRead: number; readonly rowsWritten: number }
      if (LOCAL_SQL.test(String(args[0]))) return cursor
      // The caller has read all rows of the cursor when the microtask runs.
      queueMicrotask(() => {
        add(rowsRead, owner, cursor.rowsRead)
        add(rowsWritten, owner, cursor.rowsWritten)
      })
      return cursor
    }
  })
}

interface D1Meta {
  readonly meta: { readonly rows_read?: number; readonly rows_written?: number }
}

function addD1Results(results: readonly D1Meta[]): void {
  d1Queries += 1
  for (const { meta } of results) {
    add(rowsRead, 'D1', meta.rows_read ?? 0)
    add(rowsWritten, 'D1', meta.rows_written ?? 0)
  }
}

function countDatabase(db: D1Database): void {
  const countResults = (method: Method): Method =>
    async function (...args) {
      const result = (await method.apply(this, args)) as D1Meta | D1Meta[]
      addD1Results([result].flat())
      return result
    }
  patchPrototype(db, (prototype) => wrapMethod(prototype, 'batch', countResults))
  patchPrototype(db.prepare('SELECT 1'), (prototype) => {
    for (const name of ['run', 'all']) wrapMethod(prototype, name, countResults)
    // The original `first` returns no counts.
    prototype['first'] = async function (column) {
      const { results } = await (this as D1PreparedStatement).all<Record<string, unknown>>()
      const row = results[0] ?? null
      return typeof column === 'string' ? (row?.[column] ?? null) : row
    }
  })
}

function countBucket(bucket: R2Bucket): void {
  const countRead = (method: Method): Method =>
    function (...args) {
      r2Reads += 1
      return method.apply(this, args)
    }
  const countWrite = (method: Method): Method =>
    function (...args) {
      r2Writes += 1
      return method.apply(this, args)
    }
  patchPrototype(bucket, (prototype) => {
    for (const name of ['get', 'head']) wrapMethod(prototype, name, countRead)
    wrapMethod(prototype, 'put', countWrite)
  })
}

interface Environment {
  readonly DB?: D1Database
  readonly MEDIA?: R2Bucket
}
interface AlarmObject {
  alarm?(): Promise<void>
}
type ObjectClass = new (ctx: DurableObjectState, env: Environment) => AlarmObject

/** The object that handles a request. A method that it calls on itself is not a request. */
const activeObject = new AsyncLocalStorage()

/** Returns the methods of the class and of its base classes up to `DurableObject`. */
function listMethods(Base: ObjectClass): Map<string, Method> {
  const methods = new Map<string, Method>()
  for (
    let prototype = Base.prototype as object | null;
    prototype !== null && prototype !== DurableObject.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (name !== 'constructor' && typeof value === 'function' && !methods.has(name))
        methods.set(name, value as Method)
  return methods
}

/** Returns a subclass that counts its requests and rows under `name`. */
export function countObject(name: string, Base: ObjectClass): ObjectClass {
  const Counted = class extends Base {
    /** Keeps the storage wrappers, so that the runtime does not create others, which would have no owner. */
    readonly storageParts: readonly object[]

    constructor(ctx: DurableObjectState, env: Environment) {
      const parts = countStorage(ctx.storage, name)
      if (env.DB) countDatabase(env.DB)
      super(ctx, env)
      this.storageParts = parts
    }

    /** Runs the alarm immediately. The runtime does not let callers call `alarm`. */
    async runAlarm(): Promise<void> {
      await this.alarm?.()
    }
  }
  for (const [method, value] of listMethods(Base))
    Object.defineProperty(Counted.prototype, method, {
      value(this: unknown, ...args: unknown[]) {
        if (activeObject.getStore() === this) return value.apply(this, args)
        add(objectRequests, `${name}.${method}`, 1)
        return activeObject.run(this, () => value.apply(this, args))
      },
    })
  return Counted
}

interface Worker {
  fetch(request: Request, env: Environment, ctx: unknown): Response | Promise<Response>
}

/** Returns the Worker with a path that returns the counts since the last request to this path. */
export function countWorker(worker: Worker): Worker {
  return {
    fetch(request, env, ctx) {
      if (env.DB) countDatabase(env.DB)
      if (env.MEDIA) countBucket(env.MEDIA)
      if (new URL(request.url).pathname !== PATH) {
        workerRequests += 1
        return worker.fetch(request, env, ctx)
      }
      const numbers = { d1Queries, r2Reads, r2Writes, workerRequests }
      const work: BilledWork = structuredClone({ rowsWritten, rowsRead, objectRequests, ...numbers })
      for (const counts of [rowsWritten, rowsRead, objectRequests])
        for (const key of Object.keys(counts)) Reflect.deleteProperty(counts, key)
      d1Queries = r2Reads = r2Writes = workerRequests = 0
      return Response.json(work)
    },
  }
}
