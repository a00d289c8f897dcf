import { SAMPLED_EVENT_TYPES } from '../../../contract/telemetry/analytics-events.ts'
import { isInSample } from '../../../contract/telemetry/browser-hash.ts'
import type { StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'

/**
 * Removes the frequent automatic events of browsers that are not among the 1 in `rate` browsers of the sample. Purchases,
 * exposures, errors and funnel steps of all browsers stay.
 */
export const sampleEvents = (events: readonly StoredAnalyticsEvent[], rate: number): StoredAnalyticsEvent[] =>
  events.filter(({ type, device }) => !SAMPLED_EVENT_TYPES.includes(type) || isInSample(device, rate))
