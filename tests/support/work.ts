import { Session } from 'node:inspector'

interface Ranges {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

const session = new Session()
session.connect()
post('Profiler.enable')
// Blocks are counted in code that is compiled from now on: import this module before what it counts.
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Natives that copy or scan as many characters or bytes as they are given, with a count for each call. */
const COUNTED = [
  counted(
    String.prototype,
    'indexOf',
    (text: string, at: number, [, from = 0]) => (at < 0 ? text.length : at) - Number(from),
  ),
  counted(
    Buffer.prototype,
    'indexOf',
    (data: Buffer, at: number, [, from = 0]) => (at < 0 ? data.length : at) - Number(from),
  ),
  counted(Buffer, 'concat', (_, all: Buffer) => all.length),
  // Every use of a pattern calls exec while exec is replaced: split, match, replace and test.
  counted(RegExp.prototype, 'exec', ({ sticky }: RegExp, match: RegExpExecArray | null, [text]) => {
    if (match) return sticky ? match[0].length : match.index + match[0].length
    return sticky ? 1 : String(text).length
  }),
]

/**
 * Counts the work of a call: blocks of the project's own code that run (precise coverage of V8), and characters or bytes that
 * natives scan or copy. Backtracking of patterns is not visible here; ESLint forbids such patterns in bridge/.
 */
export async function measureWork(call: () => unknown): Promise<number> {
  post('Profiler.takePreciseCoverage')
  for (const native of COUNTED) native.begin()
  try {
    await call()
  } catch {
    // A refusal is work as well.
  } finally {
    for (const native of COUNTED) native.end()
  }
  const { result } = post('Profiler.takePreciseCoverage') as { result: readonly Ranges[] }
  const own = result.filter(({ url }) => /\/(bridge|contract|provider)\/[\w/.-]+\.ts/.test(url))
  const blocks = own.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
  return [...blocks, ...COUNTED.map(({ sum }) => sum())].reduce((all, count) => all + count, 0)
}

/** Sends a command to the profiler, which answers immediately in its own thread. */
function post(method: string, params: object = {}): unknown {
  let answer: unknown
  session.post(method, params, (error, result: unknown) => {
    if (error) throw error
    answer = result
  })
  return answer
}

function counted(owner: object, name: string, costOf: (self: never, answer: never, args: unknown[]) => number) {
  const native = Reflect.get(owner, name) as (...args: unknown[]) => unknown
  let cost = 0
  function count(this: never, ...args: unknown[]): unknown {
    const answer = native.apply(this, args)
    cost += costOf(this, answer as never, args)
    return answer
  }
  return {
    begin: () => {
      cost = 0
      Reflect.set(owner, name, count)
    },
    end: () => Reflect.set(owner, name, native),
    sum: () => cost,
  }
}

/** Ratio of the work for four times the length to the work for the length: 4 if it is linear, 16 if it is quadratic. */
export async function measureGrowth(call: (times: number) => unknown, times: number): Promise<number> {
  await measureWork(() => call(1))
  const few = await measureWork(() => call(times))
  return (await measureWork(() => call(4 * times))) / few
}
