import type { ErrorGroup } from '../../contract/telemetry/telemetry-calls.ts'
import { FrameResolver, type ResolvedFrame } from './frames.ts'

/** Error group whose stack frames have been resolved with the source maps of the group's build. */
export interface ResolvedErrorGroup extends Omit<ErrorGroup, 'report'> {
  readonly report: Omit<ErrorGroup['report'], 'errors'> & {
    readonly errors: readonly {
      readonly name: string
      readonly message: string
      readonly frames: readonly ResolvedFrame[]
    }[]
  }
}

/**
 * Returns the error groups, most recently reported first, with their stacks resolved to source positions. `build`: if
 * given, only groups of this build.
 */
export function resolveErrorGroups(root: string, groups: readonly ErrorGroup[], build?: string): ResolvedErrorGroup[] {
  const resolvers = new Map<string, FrameResolver>()
  const getResolver = (id: string) => {
    const resolver = resolvers.get(id) ?? new FrameResolver(root, id)
    resolvers.set(id, resolver)
    return resolver
  }
  return groups
    .filter((kind) => build === undefined || kind.build === build)
    .toSorted((a, b) => b.last_at - a.last_at)
    .map((group) => {
      const errors = group.report.errors.map((error) => ({
        ...error,
        frames: error.frames.map((frame) => getResolver(group.build).resolve(frame, group.report.from)),
      }))
      return { ...group, report: { ...group.report, errors } }
    })
}

/** Formats an error group; times in UTC. Reported text is untrusted, so control characters are replaced. */
export function formatErrorGroup({ count, first_at, last_at, build, report }: ResolvedErrorGroup): string[] {
  const { level, from, page, request_id, errors } = report
  const times = count === 1 ? formatTime(last_at) : `${formatTime(first_at)} to ${formatTime(last_at)}`
  const head = [`${count} ×`, times, `build ${build}`, ...(from ? [from] : []), level].join('  ')
  const stacks = errors.flatMap(({ name, message, frames }, at) => [
    `  ${at > 0 ? 'caused by ' : ''}${name}: ${message}`,
    ...formatStack(frames),
  ])
  const request = request_id === undefined ? [] : [`  request ${request_id}`]
  return [head, `  ${page}`, ...request, ...stacks].map((line) => line.replaceAll(/\p{Cc}/gu, ' '))
}

const formatTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** Formats stack frames. After each run of frames that are unresolved for one reason, adds a line with this reason. */
function formatStack(frames: readonly ResolvedFrame[]): string[] {
  return frames.flatMap(({ text, why }, at) => {
    const line = `    ${text}`
    return why !== undefined && frames[at + 1]?.why !== why ? [line, `      ${why}`] : [line]
  })
}
