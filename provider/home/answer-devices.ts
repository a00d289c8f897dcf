import type { WireDevice } from '../../contract/devices.ts'
import type { Env } from '../env.ts'
import { forbidden } from '../http/refusal.ts'
import { homesOf, homeStub } from './lookup.ts'

/** `sort_type` 0 sorts by `device_order`, `sort_direction` 0 ascending (DEVICE-14, DEVICE-15). */
const BY_ORDER = { sort_type: 0, sort_direction: 0 }

/** Cameras of one home of the account, or without `homeId` of every home that it belongs to (OPEN-55). 403 for another home. */
export async function answerDevices(env: Env, userId: string, homeId: string | undefined) {
  const homes = await homesOf(env, userId)
  const asked = homeId === undefined ? homes : homes.filter((home) => home.home_id === homeId)
  if (homeId !== undefined && asked.length === 0) throw forbidden()
  const lists = await Promise.all(asked.map((home) => homeStub(env, home.home_id).devices(userId)))
  const device_list: WireDevice[] = lists.flatMap((list) => list ?? [])
  return { device_list, ...BY_ORDER }
}
