import * as activity from './activity.ts'
import * as addCamera from './add-camera.ts'
import * as auth from './auth.ts'
import * as billing from './billing.ts'
import * as bind from './bind.ts'
import type { Call } from './call.ts'
import * as cameraPlaces from './camera-places.ts'
import * as cancel from './cancel.ts'
import * as devices from './devices.ts'
import * as eventDetails from './event-details.ts'
import * as events from './events.ts'
import * as extension from './extension.ts'
import * as faces from './faces.ts'
import * as feedback from './feedback.ts'
import * as fraud from './fraud.ts'
import * as leaveAccount from './leave-account.ts'
import * as live from './live.ts'
import * as liveLayouts from './live-layouts.ts'
import * as mediaPass from './media-pass.ts'
import * as messages from './messages.ts'
import * as owner from './owner.ts'
import * as payment from './payment.ts'
import * as people from './people.ts'
import * as plans from './plans.ts'
import * as platform from './platform.ts'
import * as purchase from './purchase.ts'
import * as redeem from './redeem.ts'
import * as search from './search.ts'
import * as t3List from './t3-list.ts'
import * as take from './take.ts'
import * as telemetry from './telemetry.ts'
import * as timeline from './timeline.ts'

const modules: Readonly<Record<string, unknown>>[] = [
  activity,
  addCamera,
  auth,
  billing,
  bind,
  cameraPlaces,
  cancel,
  devices,
  eventDetails,
  events,
  extension,
  faces,
  feedback,
  fraud,
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
  t3List,
  take,
  telemetry,
  timeline,
]

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'ledger' in value && 'path' in value
}

/** Every call of the rows CALL and every extension call: what the edge, the provider and the conformance tests derive from. */
export const CALLS: readonly Call[] = modules.flatMap((module) => Object.values(module).filter(isCall))

/** Rows of CALL that state a rule about calls instead of naming one. */
export const RULE_ROWS = ['CALL-22', 'CALL-23', 'CALL-66', 'CALL-72', 'CALL-73'] as const

/** Calls that the gateway forwards for a signed-in browser. */
export const GATEWAY_CALLS: readonly Call[] = CALLS.filter((c) => c.via === 'gateway' && c.request !== null)
