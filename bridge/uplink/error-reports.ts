import { fileURLToPath } from 'node:url'
import { BodyTooLargeError } from '../../contract/wire/body-limits.ts'
import { buildErrorReport } from '../../contract/telemetry/sentry-client-options.ts'
import { maskValue as maskSecrets } from '../../contract/telemetry/mask-secrets.ts'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { SoapAuthError } from '../discovery/soap.ts'
import { maskCredentials } from '../runtime/log.ts'
import { BRIDGE_VERSION } from '../runtime/version.ts'
import { ProviderError, type ProviderClient } from './provider-client.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const MAX_REPORTS_PER_HOUR = 10

const PROJECT_ROOT = new URL('../../', import.meta.url)
/** Error classes whose messages contain only this program's own text, never text from the network. */
const OWN_ERROR_CLASSES = [SoapAuthError, BodyTooLargeError]
/** Maximum length of an error's cause chain, including the error itself. */
const MAX_CAUSE_CHAIN = 6
/** Matches URLs, IP addresses and MAC addresses. */
const ADDRESS_PATTERN =
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s'")]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\da-f]{1,4}(?::[\da-f]{0,4}){1,7}:[\da-f]{1,4}\b/gi
const QUOTED_PATH_PATTERN = /(['"])(?:\/|[a-z]:\\)[^'"\n]*\1/gi

/**
 * Returns true if the bridge reports errors to this provider. `setting`: `1` turns reports on, `0` turns them off. With
 * any other value, reports are on, except for loopback addresses and hostnames that contain `local`.
 */
export function shouldReportTo(provider: string, setting: string | undefined): boolean {
  if (setting === '1' || setting === '0') return setting === '1'
  const { hostname } = new URL(provider)
  return !hostname.includes('local') && !/^127\.|^\[::1\]$/.test(hostname)
}

/** Reports the bridge's errors to the provider: at most ten an hour, in the background and without retries. */
export class ErrorReporter {
  readonly #client: Pick<ProviderClient, 'postFailure'>
  readonly #now: () => number
  #reportTimes: number[] = []

  /** `now`: returns the time of any monotonic clock, ms. */
  constructor(client: Pick<ProviderClient, 'postFailure'>, now: () => number = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  report(task: string, error: unknown): void {
    // Ignore failed requests to the provider, because the report is also a request to the provider and may fail too.
    if (error instanceof ProviderError) return
    const now = this.#now()
    this.#reportTimes = this.#reportTimes.filter((at) => now - at < HOUR_MS)
    if (this.#reportTimes.length >= MAX_REPORTS_PER_HOUR) return
    this.#reportTimes.push(now)
    this.#client.postFailure({ version: BRIDGE_VERSION, report: createErrorReport(task, error) }).catch(() => undefined)
  }
}

/**
 * Builds a report of an error and its causes, with stack frames of this project and of Node.js. Only
 * `OWN_ERROR_CLASSES` keep their message, with masked addresses. Other messages may contain personal data, so the error
 * code replaces them.
 */
export function createErrorReport(task: string, error: unknown): ErrorReport {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSE_CHAIN; next = next.cause) chain.push(next)
  const maskedErrors = chain.map(maskError)
  maskedErrors.forEach((maskedError, at) => (maskedError.cause = maskedErrors[at + 1]))
  return maskSecrets(
    buildErrorReport({ from: 'bridge', where: task }, maskedErrors[0] ?? new Error(), Date.now()),
  ) as ErrorReport
}

function maskError(error: Error): Error {
  const masked = new Error(hasOwnMessage(error) ? maskAddresses(error.message) : getSystemErrorCode(error))
  masked.name = /^\w{1,100}$/.test(error.name) ? error.name : 'Error'
  masked.stack = filterStackFrames(error.stack ?? '')
  return masked
}

const hasOwnMessage = (error: Error): boolean => OWN_ERROR_CLASSES.some((errorClass) => error instanceof errorClass)

function getSystemErrorCode(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : ''
}

const maskAddresses = (text: string): string =>
  maskCredentials(text).replaceAll(QUOTED_PATH_PATTERN, '$1[path]$1').replaceAll(ADDRESS_PATTERN, '[address]')

/** Returns a stack with an empty first line, this project's frames by relative path, and the runtime's frames. */
function filterStackFrames(stack: string): string {
  const folders = [PROJECT_ROOT.href, fileURLToPath(PROJECT_ROOT)]
  const frames = stack.split('\n').flatMap((line) => {
    if (!/^\s+at /.test(line)) return []
    const own = folders.reduce((text, folder) => text.replaceAll(folder, ''), line)
    return own !== line || /[\s(]node:[\w/]+:\d+:\d+\)?$/.test(line) ? [own] : []
  })
  return ['', ...frames].join('\n')
}
