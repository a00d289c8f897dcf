import { fileURLToPath } from 'node:url'
import { BodyTooLarge } from '../../contract/wire/body-limits.ts'
import { failureReport } from '../../contract/telemetry/sentry-client-options.ts'
import { maskValue as maskSecrets } from '../../contract/telemetry/mask-secrets.ts'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { SoapAuthError } from '../discovery/soap.ts'
import { maskCredentials } from '../runtime/log.ts'
import { BRIDGE_VERSION } from '../runtime/version.ts'
import { ProviderError, type ProviderClient } from './provider-client.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Maximum number of reports per hour. */
const REPORTS = 10

const ROOT = new URL('../../', import.meta.url)
/**
 * Error classes whose messages contain only this program's own text; the message of a `ProviderError` may repeat text
 * from the network.
 */
const OURS = [SoapAuthError, BodyTooLarge]
/** Maximum length of an error's cause chain, including the error itself. */
const LINKED = 6
/** Matches URLs and the IP and MAC addresses of cameras and other machines at home. */
const ADDRESS =
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s'")]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\da-f]{1,4}(?::[\da-f]{0,4}){1,7}:[\da-f]{1,4}\b/gi
const QUOTED_PATH = /(['"])(?:\/|[a-z]:\\)[^'"\n]*\1/gi

/**
 * Returns true if errors are reported to this provider. `chosen` decides if it is 1 or 0; by default, loopback hosts
 * and host names that contain `local` get no reports.
 */
export function isReportingTo(provider: string, chosen: string | undefined): boolean {
  if (chosen === '1' || chosen === '0') return chosen === '1'
  const { hostname } = new URL(provider)
  return !hostname.includes('local') && !/^127\.|^\[::1\]$/.test(hostname)
}

/** Reports the bridge's errors to the provider: at most ten an hour, without waiting, and without retries. */
export class FailureReports {
  private readonly client: Pick<ProviderClient, 'postFailure'>
  private readonly now: () => number
  /** Times of the reports in the last hour. */
  private sent: number[] = []

  /** `now`: returns the time of any monotonic clock, ms. */
  constructor(client: Pick<ProviderClient, 'postFailure'>, now: () => number = () => performance.now()) {
    this.client = client
    this.now = now
  }

  report(task: string, error: unknown): void {
    // The provider knows its own rejections, and a failed report must not cause another.
    if (error instanceof ProviderError) return
    const now = this.now()
    this.sent = this.sent.filter((at) => now - at < HOUR_MS)
    if (this.sent.length >= REPORTS) return
    this.sent.push(now)
    this.client.postFailure({ version: BRIDGE_VERSION, report: createErrorReport(task, error) }).catch(() => undefined)
  }
}

/**
 * Builds a report of the error, its code and this project's stack frames. Other text may name a machine, folder or
 * network card, so only messages of `OURS` are included, with addresses masked.
 */
export function createErrorReport(task: string, error: unknown): ErrorReport {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < LINKED; next = next.cause) chain.push(next)
  const maskedErrors = chain.map(maskError)
  maskedErrors.forEach((maskedError, at) => (maskedError.cause = maskedErrors[at + 1]))
  return maskSecrets(
    failureReport({ from: 'bridge', where: task }, maskedErrors[0] ?? new Error(), Date.now()),
  ) as ErrorReport
}

/** Returns a copy of the error that is safe to report, without its cause. */
function maskError(error: Error): Error {
  const masked = new Error(isOurs(error) ? withoutHome(error.message) : systemErrorCode(error))
  masked.name = /^\w{1,100}$/.test(error.name) ? error.name : 'Error'
  masked.stack = filterStackFrames(error.stack ?? '')
  return masked
}

const isOurs = (error: Error): boolean => OURS.some((errorClass) => error instanceof errorClass)

/** Returns the code of a system error, such as `ENOTFOUND`; '' if there is none. */
function systemErrorCode(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : ''
}

const withoutHome = (text: string): string =>
  maskCredentials(text).replaceAll(QUOTED_PATH, '$1[path]$1').replaceAll(ADDRESS, '[address]')

/** Returns a stack with an empty first line, this project's frames by relative path, and the runtime's frames. */
function filterStackFrames(stack: string): string {
  const folders = [ROOT.href, fileURLToPath(ROOT)]
  const frames = stack.split('\n').flatMap((line) => {
    if (!/^\s+at /.test(line)) return []
    const own = folders.reduce((text, folder) => text.replaceAll(folder, ''), line)
    return own !== line || /[\s(]node:[\w/]+:\d+:\d+\)?$/.test(line) ? [own] : []
  })
  return ['', ...frames].join('\n')
}
