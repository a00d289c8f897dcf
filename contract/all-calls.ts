import * as activity from './account/activity.ts'
import * as addCamera from './cameras/camera-setup.ts'
import * as auth from './auth/user-calls.ts'
import * as billing from './billing/payment-methods-and-invoices.ts'
import * as bind from './billing/licenses.ts'
import type { Call } from './wire/call.ts'
import * as cameraControl from './live/camera-control-calls.ts'
import * as cameraPlaces from './cameras/camera-areas.ts'
import * as cancel from './billing/cancellation.ts'
import * as devices from './cameras/devices.ts'
import * as eventDetails from './events/event-calls.ts'
import * as events from './events/events.ts'
import * as extension from './events/feed-and-review-calls.ts'
import * as faces from './events/faces.ts'
import * as feedback from './events/feedback.ts'
import * as fraud from './telemetry/device-collector.ts'
import * as homeTimeZone from './account/home-time-zone.ts'
import * as leaveAccount from './account/account-deletion.ts'
import * as live from './live/live-calls.ts'
import * as liveLayouts from './live/saved-layouts.ts'
import * as mediaPass from './media/media-token.ts'
import * as messages from './account/notifications.ts'
import * as owner from './cameras/owner-calls.ts'
import * as payment from './billing/payment-calls.ts'
import * as people from './events/people.ts'
import * as plans from './billing/subscriptions.ts'
import * as platform from './cameras/device-models.ts'
import * as purchase from './billing/purchase.ts'
import * as redeem from './billing/coupons.ts'
import * as search from './search/search-calls.ts'
import * as storage from './cameras/storage-calls.ts'
import * as t3List from './account/t3-list.ts'
import * as take from './account/data-export.ts'
import * as telemetry from './telemetry/telemetry-calls.ts'
import * as timeline from './events/timeline.ts'

const callModules: Readonly<Record<string, unknown>>[] = [
  activity,
  addCamera,
  auth,
  billing,
  bind,
  cameraControl,
  cameraPlaces,
  cancel,
  devices,
  eventDetails,
  events,
  extension,
  faces,
  feedback,
  fraud,
  homeTimeZone,
  leaveAccount,
  live,
  liveLayouts,
  mediaPass,
  messages,
  owner,
  payment,
  people,
  plans,
  platform,
  purchase,
  redeem,
  search,
  storage,
  t3List,
  take,
  telemetry,
  timeline,
]

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'ledger' in value && 'path' in value
}

/**
 * All calls that the CALL rows of docs/requirements.md define, and all extension calls. The edge, the provider and the
 * conformance tests use this list.
 */
export const CALLS: readonly Call[] = callModules.flatMap((module) => Object.values(module).filter(isCall))

/** CALL rows of docs/requirements.md that state a rule and define no call. */
export const RULE_ROWS = ['CALL-22', 'CALL-23', 'CALL-66', 'CALL-72', 'CALL-73'] as const

/** Calls that the edge gateway forwards for a signed-in browser. */
export const GATEWAY_CALLS: readonly Call[] = CALLS.filter((c) => c.via === 'gateway' && c.request !== null)
