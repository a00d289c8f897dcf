import { Session } from 'node:inspector'

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

const session = new Session()
session.connect()
sendProfilerCommand('Profiler.enable')
// V8 coverage counts only code that is compiled after its start, so import this module before the measured code.
sendProfilerCommand('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * Counters of native functions that scan or copy in proportion to their input. Each callback returns the number of
 * characters or bytes that a call scans or copies.
 */
const NATIVE_CALL_COUNTERS = [
  countNativeCalls(
    String.prototype,
    'indexOf',
    (text: string, at: number, [, from = 0]) => (at < 0 ? text.length : at) - Number(from),
  ),
  countNativeCalls(
    Buffer.prototype,
    'indexOf',
    (data: Buffer, at: number, [, from = 0]) => (at < 0 ? data.length : at) - Number(from),
  ),
  countNativeCalls(Buffer, 'concat', (_, all: Buffer) => all.length),
  // `split`, `match`, `replace` and `test` call a replaced `exec`, so this entry counts their work too.
  countNativeCalls(RegExp.prototype, 'exec', ({ sticky }: RegExp, match: RegExpExecArray | null, [text]) => {
    if (match) return sticky ? match[0].length : match.index + match[0].length
    return sticky ? 1 : String(text).length
  }),
]

/**
 * Returns the number of executed code blocks of the project (V8 precise coverage), plus the characters or bytes that
 * native functions scan or copy. Does not count regex backtracking, because ESLint forbids slow patterns in `bridge/`.
 */
export async function measureWork(call: () => unknown): Promise<number> {
  sendProfilerCommand('Profiler.takePreciseCoverage')
  for (const native of NATIVE_CALL_COUNTERS) native.begin()
  try {
    await call()
  } catch {
    // Ignores the error, because rejecting an input is also work.
  } finally {
    for (const native of NATIVE_CALL_COUNTERS) native.end()
  }
  const { result } = sendProfilerCommand('Profiler.takePreciseCoverage') as { result: readonly ScriptCoverage[] }
  const own = result.filter(({ url }) => /\/(bridge|contract|provider)\/[\w/.-]+\.ts/.test(url))
  const blocks = own.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
  return [...blocks, ...NATIVE_CALL_COUNTERS.map(({ sum }) => sum())].reduce((all, count) => all + count, 0)
}

/**
 * Sends a command to the profiler and returns the response. The callback runs before `session.post` returns, because
 * the session is connected to its own thread.
 */
function sendProfilerCommand(method: string, params: object = {}): unknown {
  let answer: unknown
  session.post(method, params, (error, result: unknown) => {
    if (error) throw error
    answer = result
  })
  return answer
}

function countNativeCalls(
  owner: object,
  name: string,
  computeCost: (self: never, answer: never, args: unknown[]) => number,
) {
  const native = Reflect.get(owner, name) as (...args: unknown[]) => unknown
  let cost = 0
  function count(this: never, ...args: unknown[]): unknown {
    const answer = native.apply(this, args)
    cost += computeCost(this, answer as never, args)
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

/**
 * Returns the ratio between the work for `4 * times` and the work for `times`: 4 if the work is linear, 16 if it is
 * quadratic.
 */
export async function measureGrowth(call: (times: number) => unknown, times: number): Promise<number> {
  await measureWork(() => call(1))
  const few = await measureWork(() => call(times))
  return (await measureWork(() => call(4 * times))) / few
}
