import { atom } from 'nanostores'
import * as v from 'valibot'
import { activate, BINDINGS_MAX, transferLicense, unbind } from '../../../contract/billing/licenses.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { type DataOf, request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { type NotCovered, partialFailureText, reasonText } from '../../domain/copy/licenses.ts'
import { endIntent, intentFor } from './idempotency-keys.ts'
import { type Failure, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'
import { loadCoverage } from './load-license-assignments.ts'

/** Device in the cart (BIND-03). */
interface CartDevice {
  readonly device_id: string
}

const isCart = (value: unknown): value is readonly CartDevice[] =>
  Array.isArray(value) &&
  value.every((item: Partial<CartDevice> | null) => typeof item?.device_id === 'string') &&
  new Set(value.map((item: CartDevice) => item.device_id)).size === value.length

/** Devices to assign a license to, each at most once; kept across visits (BIND-02, BIND-03). */
export const $bindCart = keptJson<readonly CartDevice[]>(MONEY_KEYS.bindCart, [], isCart)

/**
 * Result of assigning a license to a camera on this visit. `from`: camera that gave up its license, null if none; `at`
 * in ms UTC.
 */
export type BindResult =
  | { readonly bound: true; readonly at: number; readonly from: string | null }
  | { readonly bound: false; readonly why: NotCovered }

export const $bindResults = atom<ReadonlyMap<string, BindResult>>(new Map())

export function addToCart(deviceId: string): void {
  const cart = $bindCart.get()
  if (!cart.some(({ device_id }) => device_id === deviceId)) $bindCart.set([...cart, { device_id: deviceId }])
}

/** Removes a device from the cart. Also discards its result if the assignment failed. */
export function removeFromCart(deviceId: string): void {
  $bindCart.set($bindCart.get().filter(({ device_id }) => device_id !== deviceId))
  if ($bindResults.get().get(deviceId)?.bound === false) discardResult(deviceId)
}

function setBindResult(deviceId: string, result: BindResult): void {
  $bindResults.set(new Map($bindResults.get()).set(deviceId, result))
}

function discardResult(deviceId: string): void {
  $bindResults.set(new Map([...$bindResults.get()].filter(([id]) => id !== deviceId)))
}

type Devices = DataOf<typeof activate>['devices']

/** Returns the result for each camera, even if some assignments failed (code 4301); null if the results are unknown. */
function parseDevices(answer: Result<DataOf<typeof activate>>): Devices | null {
  if (answer.ok) return answer.data.devices
  if (answer.code !== IN_PART) return null
  const parsed = v.safeParse(activate.response.entries.data, answer.detail)
  return parsed.success ? parsed.output.devices : null
}

const IN_PART = '4301'
const NOT_KNOWN = 'It is not known whether the cameras are covered. Try again: nothing is covered or charged twice.'

/**
 * Assigns licenses to devices in the cart. Assigned devices leave the cart; failed ones stay with their reason
 * (OPEN-156). `now` is in ms UTC. If the call fails as a whole, returns the failure for display in place.
 */
export async function bindDevices(
  subscription_id: string,
  ids: readonly string[],
  now: number,
): Promise<Failure | null> {
  const device_macs = ids.slice(0, BINDINGS_MAX)
  const answer = await request(activate, { subscription_id, device_macs })
  const devices = parseDevices(answer)
  if (devices === null) return answer.ok ? null : showFailure('place', answer, NOT_KNOWN)
  for (const { device_mac, bound, why } of devices) {
    if (bound) removeFromCart(device_mac)
    setBindResult(device_mac, bound ? { bound, at: now, from: null } : { bound, why: why ?? 'bound' })
  }
  showPartialResult(devices)
  await loadCoverage()
  return null
}

/** Shows a warning if some assignments failed, an error if all did. */
function showPartialResult(devices: Devices): void {
  const bound = devices.filter((device) => device.bound).length
  const entry = findCatalogEntry(IN_PART)
  if (!entry || bound === devices.length) return
  if (bound === 0) showToast('error', entry.text)
  else showToast(entry.style, partialFailureText(bound, devices.length, entry.text))
}

/** Unassigns the license of a camera; succeeds if it has none. */
export async function unassignLicense(subscription_id: string, deviceId: string): Promise<Failure | null> {
  const intent = intentFor('unbind', `${subscription_id} ${deviceId}`)
  const answer = await withFailureShown('toast', request(unbind, { subscription_id, device_macs: [deviceId], intent }))
  endIntent('unbind', answer)
  if (!answer.ok) return answer
  discardResult(deviceId)
  await loadCoverage()
  return null
}

interface Move {
  readonly from: string
  readonly to: string
  /** ms UTC */
  readonly now: number
}

/**
 * Transfers the license of one camera to another in one step. On failure, returns its text; `inPlace` is true if the
 * caller must display the text.
 */
export async function transferCameraLicense(
  subscription_id: string,
  { from, to, now }: Move,
): Promise<{ text: string; inPlace: boolean } | null> {
  const intent = intentFor('move-licence', `${subscription_id} ${from} ${to}`)
  const answer = await withFailureShown('toast', request(transferLicense, { subscription_id, from, to, intent }))
  endIntent('move-licence', answer)
  if (!answer.ok) return answer
  const [gave, got] = answer.data.devices
  if (got?.done) {
    discardResult(from)
    removeFromCart(to)
    setBindResult(to, { bound: true, at: now, from })
  }
  await loadCoverage()
  return got?.done ? null : { text: notMoved(gave?.why ?? got?.why ?? null, now), inPlace: true }
}

const notMoved = (why: NotCovered | 'not_bound' | null, now: number): string =>
  why === null || why === 'not_bound'
    ? 'That camera has no licence any more. Choose another one.'
    : reasonText(why, null, now)

/** Undoes the assignment made on this visit: the license is unassigned, or returns to its previous camera. */
export async function undoBinding(subscriptionId: string, deviceId: string, now: number): Promise<void> {
  const result = $bindResults.get().get(deviceId)
  if (!result?.bound) return
  const { from } = result
  if (from === null) return void (await unassignLicense(subscriptionId, deviceId))
  const failure = await transferCameraLicense(subscriptionId, { from: deviceId, to: from, now })
  discardResult(from)
  if (failure?.inPlace) showToast('error', failure.text)
}
