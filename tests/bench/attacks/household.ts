import { randomBytes } from 'node:crypto'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { callOperator } from '../../../scripts/lib/operator.ts'
import { makeEvent, RECENT, TestBridge } from '../../support/home.ts'
import { addMethod, WALLET } from '../shopper.ts'
import { fetchData, type Ground, type Member } from './ground.ts'

export const CLIP = Buffer.from('the bytes of a clip')
export const THUMB = Buffer.from('the bytes of a picture')

/** Member with a home, an enrolled test bridge, a camera, an event with clip and thumbnail, and a payment method. */
export interface Household extends Member {
  readonly homeId: string
  readonly bridge: TestBridge
  readonly camera: string
  readonly event: string
  readonly method: string
}

export async function addBridge({ env }: Ground, homeId: string): Promise<TestBridge> {
  const bridge = new TestBridge(env.PROVIDER_ORIGIN, `bridge_${randomBytes(6).toString('hex')}`)
  const enrolled = { key_hash: bridge.keyHash, name: 'Box', homes: [homeId] }
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrolled)
  return bridge
}

/** Creates a household with random ids, so that an attack notices a response that leaks one of the ids. */
export async function openHousehold(ground: Ground): Promise<Household> {
  const member = await ground.member('Home of the household')
  const [home] = (await fetchData(member.browser, getHomes)) as { home_id: string }[]
  const homeId = home?.home_id ?? ''
  const bridge = await addBridge(ground, homeId)
  const secret = randomBytes(6).toString('hex')
  const [camera, event] = [`door_${secret}`, `event_${secret}`]
  await bridge.register(camera)
  const clip_object = await bridge.upload(camera, 'clip', event, CLIP)
  const thumb_object = await bridge.upload(camera, 'thumb', event, THUMB)
  const resource = { begin_time: RECENT, end_time: RECENT + 9, resource_version: 1, resource_type: 's3' as const }
  const posted = await bridge.post(makeEvent(camera, event, { clip_object, thumb_object, event_resources: [resource] }))
  if (posted.status !== 200) throw new Error(`The event was answered ${posted.status}.`)
  const method = await addMethod(member.browser, ground.env.PAYMENT_ORIGIN, WALLET)
  return { ...member, homeId, bridge, camera, event, method }
}
