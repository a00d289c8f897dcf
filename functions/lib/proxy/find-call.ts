import type { Call } from '../../../contract/wire/call.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'

export interface CallMatch {
  readonly call: Call
  readonly params: Readonly<Record<string, string>>
}

/** Pattern of a path parameter; values that need encoding do not match (OPEN-85). */
const PARAMETER_PATTERN = '[A-Za-z0-9_-]{1,64}'

const callPatterns = Map.groupBy(
  GATEWAY_CALLS.map((call) => ({ call, pattern: new RegExp(`^${toPathPattern(call.path)}$`) })),
  ({ call }) => `${call.method} ${call.group}`,
)

function toPathPattern(path: string): string {
  return path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `(?<${part.slice(1, -1)}>${PARAMETER_PATTERN})`
        : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    )
    .join('')
}

/** Returns the contract call that a request matches; null if there is none, so the request must not be forwarded. */
export function findCall(group: string, method: string, path: string): CallMatch | null {
  for (const { call, pattern } of callPatterns.get(`${method} ${group}`) ?? []) {
    const found = pattern.exec(path)
    if (found) return { call, params: { ...found.groups } }
  }
  return null
}
