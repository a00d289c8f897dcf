import { atom } from 'nanostores'
import * as v from 'valibot'
import { activate, BINDINGS_MAX, moveLicence, unbind } from '../../../contract/billing/licenses.ts'
import { catalogueEntry } from '../../../contract/wire/error-codes.ts'
import { type DataOf, request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { type NotCovered, partWords, reasonWords } from '../../domain/copy/licenses.ts'
import { endIntent, intentFor } from './idempotency-keys.ts'
import { type Failure, tell, told } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'
import { loadCoverage } from './load-license-assignments.ts'

/** A device of the basket (BIND-03). */
interface CartDevice {
  readonly device_id: string
}

const isCart = (value: unknown): value is readonly CartDevice[] =>
  Array.isArray(value) &&
  value.every((one: Partial<CartDevice> | null) => typeof one?.device_id === 'string') &&
  new Set(value.map((one: CartDevice) => one.device_id)).size === value.length

/** Devices that are to be bound, each at most once; kept over visits (BIND-02, BIND-03). */
export const $bindCart = keptJson<readonly CartDevice[]>(MONEY_KEYS.bindCart, [], isCart)

/** What became of a camera on this visit. `from`: the camera whose licence it took; `at` in ms UTC. */
export type BindResult =
  | { readonly bound: true; readonly at: number; readonly from: string | null }
  | { readonly bound: false; readonly why: NotCovered }

export const $bindResults = atom<ReadonlyMap<string, BindResult>>(new Map())

export function addToCart(deviceId: string): void {
  const cart = $bindCart.get()
  if (!cart.some(({ device_id }) => device_id === deviceId)) $bindCart.set([...cart, { device_id: deviceId }])
}

/** Takes a device out, and what became of it where that has failed. */
export function removeFromCart(deviceId: string): void {
  $bindCart.set($bindCart.get().filter(({ device_id }) => device_id !== deviceId))
  if ($bindResults.get().get(deviceId)?.bound === false) forget(deviceId)
}

function note(deviceId: string, result: BindResult): void {
  $bindResults.set(new Map($bindResults.get()).set(deviceId, result))
}

function forget(deviceId: string): void {
  $bindResults.set(new Map([...$bindResults.get()].filter(([id]) => id !== deviceId)))
}

type Devices = DataOf<typeof activate>['devices']

/** What became of each camera, also where some have failed (4301); null where nobody knows. */
function devicesOf(answer: Result<DataOf<typeof activate>>): Devices | null {
  if (answer.ok) return answer.data.devices
  if (answer.code !== IN_PART) return null
  const parsed = v.safeParse(activate.response.entries.data, answer.detail)
  return parsed.success ? parsed.output.devices : null
}

const IN_PART = '4301'
const NOT_KNOWN = 'It is not known whether the cameras are covered. Try again: nothing is covered or charged twice.'

/**
 * Binds devices of the basket. Those that are bound leave it, those that failed stay with their reason (OPEN-156). `now` in
 * ms UTC. A failure of all of it is told in place.
 */
export async function bindDevices(
  subscription_id: string,
  ids: readonly string[],
  now: number,
): Promise<Failure | null> {
  const device_macs = ids.slice(0, BINDINGS_MAX)
  const answer = await request(activate, { subscription_id, device_macs })
  const devices = devicesOf(answer)
  if (devices === null) return answer.ok ? null : tell('place', answer, NOT_KNOWN)
  for (const { device_mac, bound, why } of devices) {
    if (bound) removeFromCart(device_mac)
    note(device_mac, bound ? { bound, at: now, from: null } : { bound, why: why ?? 'bound' })
  }
  sayInPart(devices)
  await loadCoverage()
  return null
}

/** A warning where some were bound, an error where none was. */
function sayInPart(devices: Devices): void {
  const bound = devices.filter((one) => one.bound).length
  const entry = catalogueEntry(IN_PART)
  if (!entry || bound === devices.length) return
  if (bound === 0) showToast('error', entry.text)
  else showToast(entry.style, partWords(bound, devices.length, entry.text))
}

/** Frees the licence of a camera. One that has none any more is as it was asked for. */
export async function freeLicence(subscription_id: string, deviceId: string): Promise<Failure | null> {
  const intent = intentFor('unbind', `${subscription_id} ${deviceId}`)
  const answer = await told('toast', request(unbind, { subscription_id, device_macs: [deviceId], intent }))
  endIntent('unbind', answer)
  if (!answer.ok) return answer
  forget(deviceId)
  await loadCoverage()
  return null
}

interface Move {
  readonly from: string
  readonly to: string
  /** ms UTC */
  readonly now: number
}

/** Takes the licence of one camera for another, in one step. Answers what a place shows where that cannot be. */
export async function takeLicence(
  subscription_id: string,
  { from, to, now }: Move,
): Promise<{ text: string; inPlace: boolean } | null> {
  const intent = intentFor('move-licence', `${subscription_id} ${from} ${to}`)
  const answer = await told('toast', request(moveLicence, { subscription_id, from, to, intent }))
  endIntent('move-licence', answer)
  if (!answer.ok) return answer
  const [gave, got] = answer.data.devices
  if (got?.done) {
    forget(from)
    removeFromCart(to)
    note(to, { bound: true, at: now, from })
  }
  await loadCoverage()
  return got?.done ? null : { text: notMoved(gave?.why ?? got?.why ?? null, now), inPlace: true }
}

const notMoved = (why: NotCovered | 'not_bound' | null, now: number): string =>
  why === null || why === 'not_bound'
    ? 'That camera has no licence any more. Choose another one.'
    : reasonWords(why, null, now)

/** Takes back what was done to a camera on this visit: its licence is free again, or its former camera’s. */
export async function undoBinding(subscriptionId: string, deviceId: string, now: number): Promise<void> {
  const result = $bindResults.get().get(deviceId)
  if (!result?.bound) return
  const { from } = result
  if (from === null) return void (await freeLicence(subscriptionId, deviceId))
  const failure = await takeLicence(subscriptionId, { from: deviceId, to: from, now })
  forget(from)
  if (failure?.inPlace) showToast('error', failure.text)
}
