import { maskUrl } from '../../../contract/telemetry/mask-secrets.ts'
import {
  addBreadcrumb,
  isReportedHost,
  levelOfFailure,
  buildErrorReport,
  type Breadcrumb,
} from '../../services/error-reports.ts'
import type { Exchange } from '../../services/logged-fetch.ts'

/** Route of the edge that receives error reports. */
const SINK = '/t/errors'
const isActive = isReportedHost(location.hostname)
let trail: readonly Breadcrumb[] = []

if (isActive) {
  addEventListener('error', ({ error }) => report(error as unknown))
  addEventListener('unhandledrejection', ({ reason }) => report(reason as unknown))
}

/** Adds failed requests to the breadcrumb trail, and reports those with a level in `levelOfFailure` as warnings. */
export function reportFailures(exchanges: readonly Exchange[]): void {
  if (!isActive) return
  for (const { at, method, url, status, requestId } of exchanges) {
    // Masked separately: masking does not recognize a URL inside text.
    const text = `${method} ${maskUrl(url)} ${status}`
    trail = addBreadcrumb(trail, { at, text })
    if (levelOfFailure(url, status)) report(new Error(text), 'warning', requestId)
  }
}

function report(error: unknown, level: 'error' | 'warning' = 'error', requestId?: string): void {
  const build = String(import.meta.env.BUILD_ID)
  const body = buildErrorReport(error, { at: Date.now(), page: location.href, trail, requestId, build }, level)
  if (body) navigator.sendBeacon(SINK, JSON.stringify(body))
}
