import { maskValue, maskText, maskUrl } from '../../contract/telemetry/mask-secrets.ts'

/** Limits for error reports (REPORT-01 to 14). Reports are masked and sent only to this portal's own origin. */
export const REPORT_LIMITS = {
  maxBreadcrumbs: 100,
  maxLinkedErrors: 5,
  maxFrames: 50,
  maxLineLength: 1024,
} as const

/**
 * Maximum lengths of texts in a report. If a text is longer, the edge rejects the whole report
 * (contract/telemetry/telemetry-calls.ts).
 */
const TEXT_MAX_CHARS = { name: 200, message: 8192, page: 2048 } as const

export const isReportedHost = (host: string): boolean => !host.includes('local')

const WARNING_STATUSES = [400, 404, 500]
const UNREPORTED_URL_PATTERN = /\/user\/(login|status)\b|\/auth\/(me|refresh)\b|\/santa\/refresh\b|\/oauth\/token\b/

/** Returns the level at which a failed request is reported; null if it is not reported. A 403 is never reported. */
export function getReportLevel(url: string, status: number): 'warning' | null {
  return WARNING_STATUSES.includes(status) && !UNREPORTED_URL_PATTERN.test(url) ? 'warning' : null
}

/** Messages of browsers and networks that are not actionable. */
const NOISE_PATTERNS = [
  /failed to fetch|load failed|network ?error|networkerror|err_network|connection (was )?lost|the internet connection/i,
  /timeout|econnaborted|etimedout|err_canceled|aborterror|the (user|operation)( was)? aborted/i,
  /the play\(\) request was interrupted|play\(\) failed|notallowederror.*play|the fetching process for the media/i,
  /(chrome|moz|safari(-web)?)-extension:|extension context invalidated|message port closed/i,
  /resizeobserver loop|^script error\.?$|transition was aborted/i,
]

export const isNoise = (message: string): boolean => NOISE_PATTERNS.some((pattern) => pattern.test(message))

/** Returns at most 50 frames of a stack, innermost first. Skips lines longer than 1024 characters. */
export function parseFrames(stack: string): string[] {
  return (
    stack
      .split('\n')
      .filter((line) => line.length <= REPORT_LIMITS.maxLineLength)
      .map((line) => line.trim())
      // For an anonymous function, Safari prints only its location, without a name or `@`.
      .filter((line) => /^at |@|^https?:\S+:\d+$/.test(line))
      .slice(0, REPORT_LIMITS.maxFrames)
  )
}

export interface Breadcrumb {
  readonly at: number
  readonly text: string
}

export function addBreadcrumb(trail: readonly Breadcrumb[], crumb: Breadcrumb): readonly Breadcrumb[] {
  return [...trail, crumb].slice(-REPORT_LIMITS.maxBreadcrumbs)
}

export interface PageErrorReport {
  readonly level: 'error' | 'warning'
  /** Id of the failed request, if the response has one. */
  readonly request_id?: string
  readonly build?: string
  readonly at: number
  readonly page: string
  /** The error, followed by its causes. */
  readonly errors: readonly { readonly name: string; readonly message: string; readonly frames: readonly string[] }[]
  readonly trail: readonly Breadcrumb[]
}

interface ErrorContext {
  readonly build?: string
  readonly at: number
  readonly page: string
  readonly trail: readonly Breadcrumb[]
  readonly requestId?: string | undefined
}

/**
 * Builds a masked error report. Returns null if `error` is not an Error, or if a message in its chain of causes is
 * noise. `context.page`: URL of the page.
 */
export function buildErrorReport(
  error: unknown,
  context: ErrorContext,
  level: PageErrorReport['level'] = 'error',
): PageErrorReport | null {
  const chain = listCauses(error)
  if (chain.length === 0 || chain.some(({ name, message }) => isNoise(`${name}: ${message}`))) return null
  const errors = chain.map(({ name, message, stack = '' }) => ({
    name: maskText(name).slice(0, TEXT_MAX_CHARS.name),
    message: maskText(message).slice(0, TEXT_MAX_CHARS.message),
    frames: parseFrames(stack).map(maskText),
  }))
  const { at, page, trail, requestId, build } = context
  const optionalIds = {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(build !== undefined && { build }),
  }
  return {
    level,
    ...optionalIds,
    at,
    page: maskUrl(page).slice(0, TEXT_MAX_CHARS.page),
    errors,
    trail: maskBreadcrumbs(trail),
  }
}

const maskBreadcrumbs = (trail: readonly Breadcrumb[]): Breadcrumb[] =>
  (maskValue(trail) as Breadcrumb[]).map(({ at, text }) => ({ at, text: text.slice(0, TEXT_MAX_CHARS.message) }))

function listCauses(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length <= REPORT_LIMITS.maxLinkedErrors; next = next.cause)
    chain.push(next)
  return chain
}
