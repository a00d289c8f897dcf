import { randomBytes } from 'node:crypto'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { callOperator } from '../../../scripts/lib/operator.ts'
import { createBridgeEvent, RECENT_TIME_MS, TestBridge } from '../../support/home.ts'
import { addPaymentMethod, WALLET_PAYMENT_METHOD } from '../shopper.ts'
import { fetchData, type AttackEnvironment, type Member } from './attack-environment.ts'

export const CLIP_BYTES = Buffer.from('the bytes of a clip')
export const THUMBNAIL_BYTES = Buffer.from('the bytes of a picture')

/** Member with a home, an enrolled test bridge, a camera, an event with clip and thumbnail, and a payment method. */
export interface Household extends Member {
  readonly homeId: string
  readonly bridge: TestBridge
  readonly camera: string
  readonly event: string
  readonly method: string
}

export async function enrollTestBridge({ env }: AttackEnvironment, homeId: string): Promise<TestBridge> {
  const bridge = new TestBridge(env.PROVIDER_ORIGIN, `bridge_${randomBytes(6).toString('hex')}`)
  const enrollment = { key_hash: bridge.keyHash, name: 'Box', homes: [homeId] }
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrollment)
  return bridge
}

/** Creates a household with random ids, so that an attack can detect a leaked id in a response. */
export async function createHousehold(environment: AttackEnvironment): Promise<Household> {
  const member = await environment.createMember('Home of the household')
  const [home] = (await fetchData(member.browser, getHomes)) as { home_id: string }[]
  const homeId = home?.home_id ?? ''
  const bridge = await enrollTestBridge(environment, homeId)
  const secret = randomBytes(6).toString('hex')
  const [camera, event] = [`door_${secret}`, `event_${secret}`]
  await bridge.register(camera)
  const clip_object = await bridge.upload(camera, 'clip', event, CLIP_BYTES)
  const thumb_object = await bridge.upload(camera, 'thumb', event, THUMBNAIL_BYTES)
  const resource = {
    begin_time: RECENT_TIME_MS,
    end_time: RECENT_TIME_MS + 9,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  const posted = await bridge.postEvent(
    createBridgeEvent(camera, event, { clip_object, thumb_object, event_resources: [resource] }),
  )
  if (posted.status !== 200) throw new Error(`Posting the event returned ${posted.status}.`)
  const method = await addPaymentMethod(member.browser, environment.env.PAYMENT_ORIGIN, WALLET_PAYMENT_METHOD)
  return { ...member, homeId, bridge, camera, event, method }
}
