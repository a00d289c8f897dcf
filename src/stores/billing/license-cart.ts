import { atom } from 'nanostores'
import * as v from 'valibot'
import {
  activateLicenses,
  BINDINGS_MAX,
  transferLicense,
  unassignLicenses,
} from '../../../contract/billing/licenses.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { type DataOf, request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { type AssignmentRefusal, partialFailureText, assignmentRefusalText } from '../../domain/copy/licenses.ts'
import { discardKeyIfFinal, getIdempotencyKey } from './idempotency-keys.ts'
import { type Failure, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'
import { reloadLicenses } from './load-license-assignments.ts'

interface CartDevice {
  readonly device_id: string
}

const isDeviceCart = (value: unknown): value is readonly CartDevice[] =>
  Array.isArray(value) &&
  value.every((item: Partial<CartDevice> | null) => typeof item?.device_id === 'string') &&
  new Set(value.map((item: CartDevice) => item.device_id)).size === value.length

/** Cameras to assign a license to, each at most once; kept across visits (BIND-02, BIND-03). */
export const $bindCart = persistentJson<readonly CartDevice[]>(BILLING_KEYS.bindCart, [], isDeviceCart)

/**
 * Result of assigning a license to a camera on this visit. `from`: camera from which the license was transferred, null
 * if none. `at`: ms UTC.
 */
export type AssignmentResult =
  | { readonly bound: true; readonly at: number; readonly from: string | null }
  | { readonly bound: false; readonly why: AssignmentRefusal }

export const $assignmentResults = atom<ReadonlyMap<string, AssignmentResult>>(new Map())

export function addToCart(deviceId: string): void {
  const cart = $bindCart.get()
  if (!cart.some(({ device_id }) => device_id === deviceId)) $bindCart.set([...cart, { device_id: deviceId }])
}

/** Removes a camera from the cart. Also discards the camera's result if the assignment failed. */
export function removeFromCart(deviceId: string): void {
  $bindCart.set($bindCart.get().filter(({ device_id }) => device_id !== deviceId))
  if ($assignmentResults.get().get(deviceId)?.bound === false) discardResult(deviceId)
}

function setAssignmentResult(deviceId: string, result: AssignmentResult): void {
  $assignmentResults.set(new Map($assignmentResults.get()).set(deviceId, result))
}

function discardResult(deviceId: string): void {
  $assignmentResults.set(new Map([...$assignmentResults.get()].filter(([id]) => id !== deviceId)))
}

type AssignedDevices = DataOf<typeof activateLicenses>['devices']

function parseAssignedDevices(result: Result<DataOf<typeof activateLicenses>>): AssignedDevices | null {
  if (result.ok) return result.data.devices
  if (result.code !== PARTIAL_FAILURE_CODE) return null
  const parsed = v.safeParse(activateLicenses.response.entries.data, result.detail)
  return parsed.success ? parsed.output.devices : null
}

const PARTIAL_FAILURE_CODE = '4301'
const RESULT_UNKNOWN_TEXT = 'We can’t tell if the cameras are covered. You can try again without being charged twice.'

/**
 * Assigns licenses of a subscription to the first `BINDINGS_MAX` of these cameras. Cameras with a new license leave the
 * cart; the others stay with their reason (OPEN-156). `now`: ms UTC. Returns a failure only if the response has no
 * results for the cameras.
 */
export async function assignLicenses(
  subscription_id: string,
  ids: readonly string[],
  now: number,
): Promise<Failure | null> {
  const device_macs = ids.slice(0, BINDINGS_MAX)
  const response = await request(activateLicenses, { subscription_id, device_macs })
  const devices = parseAssignedDevices(response)
  if (devices === null) return response.ok ? null : showFailure('place', response, RESULT_UNKNOWN_TEXT)
  for (const { device_mac, bound, why } of devices) {
    if (bound) removeFromCart(device_mac)
    setAssignmentResult(device_mac, bound ? { bound, at: now, from: null } : { bound, why: why ?? 'bound' })
  }
  showPartialResult(devices)
  await reloadLicenses()
  return null
}

function showPartialResult(devices: AssignedDevices): void {
  const bound = devices.filter((device) => device.bound).length
  const entry = findCatalogEntry(PARTIAL_FAILURE_CODE)
  if (!entry || bound === devices.length) return
  if (bound === 0) showToast('error', entry.text)
  else showToast(entry.style, partialFailureText(bound, devices.length, entry.text))
}

/** Unassigns the license of a camera. Also succeeds if the camera has no license of this subscription. */
export async function unassignLicense(subscription_id: string, deviceId: string): Promise<Failure | null> {
  const intent = getIdempotencyKey('unbind', `${subscription_id} ${deviceId}`)
  const response = await withFailureShown(
    'toast',
    request(unassignLicenses, { subscription_id, device_macs: [deviceId], intent }),
  )
  discardKeyIfFinal('unbind', response)
  if (!response.ok) return response
  discardResult(deviceId)
  await reloadLicenses()
  return null
}

interface LicenseTransfer {
  readonly from: string
  readonly to: string
  /** ms UTC */
  readonly now: number
}

/**
 * Transfers a license from one camera to another. Returns null on success, otherwise the failure's text. `inPlace`: the
 * caller must display the text.
 */
export async function transferCameraLicense(
  subscription_id: string,
  { from, to, now }: LicenseTransfer,
): Promise<{ text: string; inPlace: boolean } | null> {
  const intent = getIdempotencyKey('move-licence', `${subscription_id} ${from} ${to}`)
  const response = await withFailureShown('toast', request(transferLicense, { subscription_id, from, to, intent }))
  discardKeyIfFinal('move-licence', response)
  if (!response.ok) return response
  const [fromResult, toResult] = response.data.devices
  if (toResult?.done) {
    discardResult(from)
    removeFromCart(to)
    setAssignmentResult(to, { bound: true, at: now, from })
  }
  await reloadLicenses()
  return toResult?.done
    ? null
    : { text: formatTransferFailure(fromResult?.why ?? toResult?.why ?? null, now), inPlace: true }
}

const formatTransferFailure = (why: AssignmentRefusal | 'not_bound' | null, now: number): string =>
  why === null || why === 'not_bound'
    ? 'That camera no longer has a license. Choose another camera.'
    : assignmentRefusalText(why, null, now)

/** Undoes an assignment made on this visit: unassigns the license, or returns it to the camera that had it before. */
export async function undoAssignment(subscriptionId: string, deviceId: string, now: number): Promise<void> {
  const result = $assignmentResults.get().get(deviceId)
  if (!result?.bound) return
  const { from } = result
  if (from === null) return void (await unassignLicense(subscriptionId, deviceId))
  const failure = await transferCameraLicense(subscriptionId, { from: deviceId, to: from, now })
  discardResult(from)
  if (failure?.inPlace) showToast('error', failure.text)
}
