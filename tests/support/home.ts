import { createHash, createHmac, randomBytes } from 'node:crypto'
import { BRIDGE_PATHS, type BridgeEvent, type RegisterCamera } from '../../contract/bridge/bridge-protocol.ts'
import { type Call, fillPath } from '../../contract/wire/call.ts'
import { ENDPOINT_GROUPS, secretBinding } from '../../contract/wire/endpoint-groups.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { hashToken } from '../../provider/platform/crypto/token-hash.ts'
import { mediaAddress, mediaContent, mediaExpiry, type MediaKind } from '../../contract/media/media-urls.ts'
import { mediaPass } from '../../contract/media/media-token.ts'
import { storeBridge } from '../../provider/bridge/enroll-bridge.ts'
import type { Env } from '../../provider/env.ts'
import { createHome } from '../../provider/homes/members/create-home.ts'
import { openStage, type Stage } from './harness.ts'
import { tokenHeader } from './provider.ts'
import { openSocket, type Socket } from './socket.ts'

export type Account = Pick<Household, 'userId' | 'token'>
export interface Household {
  readonly userId: string
  readonly token: string
  readonly homeId: string
  readonly bridge: TestBridge
}

export interface Answer {
  readonly status: number
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into, field by field
  readonly body: any
}

/** Provider with two unrelated households, `a` and `b`. */
export interface Neighborhood {
  readonly stage: Stage
  readonly bindings: Env
  readonly a: Household
  readonly b: Household
  /** Sends one contract call as the edge does: signed and with a nonce. */
  call(as: Account, call: Call, input?: Record<string, unknown>, params?: Record<string, string>): Promise<Answer>
  /**
   * Sends the same call three times: with a nonce, with the same nonce again, and without a nonce. Returns the three
   * responses.
   */
  repeat(as: Account, call: Call, input?: Record<string, unknown>): Promise<Answer[]>
  close(): Promise<void>
}

export async function openNeighborhood(options: Parameters<typeof openStage>[0] = {}): Promise<Neighborhood> {
  const stage = await openStage(options)
  const bindings = (await stage.provider.getWorker().getEnv()) as Env
  const [a, b] = await Promise.all([settle(stage, bindings, 'a', true), settle(stage, bindings, 'b', false)])
  return {
    stage,
    bindings,
    a,
    b,
    call: (as, call, input = {}, params = {}) => callAs(stage, as, call, input, makeNonce(), params),
    async repeat(as, call, input = {}) {
      const nonce = makeNonce()
      const first = await callAs(stage, as, call, input, nonce)
      return [first, await callAs(stage, as, call, input, nonce), await callAs(stage, as, call, input, undefined)]
    },
    close: () => stage.close(),
  }
}

/** Adds a signed-in account without a home of its own. */
export async function addAccount(env: Env, name: string): Promise<{ userId: string; token: string }> {
  const userId = `user_${name}`
  const token = randomBytes(32).toString('base64url')
  const hour = Math.floor(Date.now() / 1000) + 3600
  await env.DB.batch([
    env.DB.prepare('INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)').bind(
      userId,
      `${name}@example.com`,
      '-',
      Date.now(),
    ),
    env.DB.prepare(
      "INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed) VALUES ('AccessToken', ?, '{}', ?, ?, ?, 1)",
    ).bind(hashToken(token), `grant_${name}`, userId, hour),
  ])
  return { userId, token }
}

/** Returns a signed media URL with the account's media token, as the edge makes it. */
export async function signedMedia(town: Neighborhood, as: Account, kind: MediaKind, id: string): Promise<string> {
  const p = (await town.call(as, mediaPass)).body.data.pass as string
  const exp = mediaExpiry(kind, Date.now())
  const sig = createHmac('sha256', town.stage.env.MEDIA_KEY)
    .update(mediaContent(kind, id, p, exp))
    .digest('hex')
  return mediaAddress(town.stage.env.PROVIDER_ORIGIN, kind, id, { p, exp, sig })
}

/** Adds another access token with its own grant to the account, as a sign-in in another browser does. */
export async function addSignIn(env: Env, { userId }: Account, name: string): Promise<Account> {
  const token = randomBytes(32).toString('base64url')
  await env.DB.prepare(
    "INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed) VALUES ('AccessToken', ?, '{}', ?, ?, ?, 1)",
  )
    .bind(hashToken(token), `grant_${name}`, userId, Math.floor(Date.now() / 1000) + 3600)
    .run()
  return { userId, token }
}

async function settle(stage: Stage, env: Env, name: string, demo: boolean): Promise<Household> {
  const homeId = `home_${name}`
  const { userId, token } = await addAccount(env, name)
  await env.DB.prepare(
    `INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at)
     VALUES (?1, ?1, 'unlimited', 'active', 1, 'annual', 'card', 0, 0)`,
  )
    .bind(userId)
    .run()
  await createHome(env, { homeId, name: `Home of ${name}`, ownerUserId: userId, demo }, Date.now())
  const bridge = new TestBridge(stage.env.PROVIDER_ORIGIN, `bridge_${name}`)
  await storeBridge(env, bridge.id, { key_hash: bridge.keyHash, name, homes: [homeId] }, Date.now())
  return { userId, token, homeId, bridge }
}

let counter = 10_000
/** Nonce as in `contract/wire/constants.ts`: the time and five more digits; never repeats. */
const makeNonce = () => `${Date.now()}${(counter += 1)}`

async function callAs(
  stage: Stage,
  as: Account,
  call: Call,
  input: Record<string, unknown>,
  nonce: string | undefined,
  params: Record<string, string> = {},
): Promise<Answer> {
  const group = ENDPOINT_GROUPS[call.group]
  const payload = {
    ...(call.nonce && nonce ? { nonce } : {}),
    ...(call.userId ? { user_id: as.userId } : {}),
    ...input,
  }
  const content = call.method === 'GET' ? buildQuery(payload) : JSON.stringify(payload)
  const headers = tokenHeader(group.tokenHeader, as.token)
  if (group.secret) {
    const secret = (stage.env as unknown as Record<string, string>)[secretBinding(group.secret)] ?? ''
    const key = createHash('sha256')
      .update(as.token + secret)
      .digest()
    headers[SIGNATURE_HEADER] = createHmac('sha256', key).update(content).digest('hex')
  }
  const path = fillPath(call.path, params)
  const address = `${stage.env.PROVIDER_ORIGIN}${path}${call.method === 'GET' ? `?${content}` : ''}`
  const response = await fetch(address, {
    method: call.method,
    headers: { ...headers, 'content-type': 'application/json', request_id: 'r1' },
    ...(call.method === 'GET' ? {} : { body: content }),
  })
  return { status: response.status, body: await response.json() }
}

function buildQuery(payload: Record<string, unknown>): string {
  const query = new URLSearchParams(Object.entries(payload).map(([name, value]) => [name, String(value)]))
  query.sort()
  return query.toString()
}

export const CAMERA: RegisterCamera = {
  nickname: 'Front door',
  device_model: 'PL-1',
  provider: 'lake',
  renditions: ['360p'],
  dual: false,
  audio: false,
  battery: false,
  device_order: 1,
}

/** Bridge side of `contract/bridge/bridge-protocol.ts`; tests can change every part of a request. */
export class TestBridge {
  readonly origin: string
  readonly id: string
  private readonly key: Buffer

  constructor(origin: string, id: string, key: Buffer = randomBytes(32)) {
    this.origin = origin
    this.id = id
    this.key = key
  }

  get keyHash(): string {
    return createHash('sha256').update(this.key).digest('hex')
  }

  headers(method: string, path: string, body = '', time = Date.now()): Record<string, string> {
    const digest = createHash('sha256').update(body).digest()
    const hmac = createHmac('sha256', createHash('sha256').update(this.key).digest())
    return {
      authorization: `Bridge ${this.id}`,
      'x-bridge-time': String(time),
      'content-digest': `sha-256=:${digest.toString('base64')}:`,
      'x-bridge-signature': hmac.update(`${method}\n${path}\n${time}\n${digest.toString('hex')}`).digest('hex'),
    }
  }

  async send(method: string, path: string, payload?: unknown): Promise<Answer> {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const response = await fetch(this.origin + path, {
      method,
      headers: this.headers(method, path, body),
      ...(body ? { body } : {}),
    })
    return { status: response.status, body: await response.json() }
  }

  register(deviceId: string, change: Partial<RegisterCamera> = {}): Promise<Answer> {
    return this.send('PUT', `${BRIDGE_PATHS.cameras}/${deviceId}`, { ...CAMERA, ...change })
  }

  post(event: BridgeEvent): Promise<Answer> {
    return this.send('POST', BRIDGE_PATHS.events, { event })
  }

  /** Uploads an object and returns its name. */
  async upload(deviceId: string, kind: 'clip' | 'thumb' | 'last', name: string, bytes: Buffer): Promise<string> {
    const type = kind === 'clip' ? 'video/mp4' : 'image/jpeg'
    const objects = [{ kind, name, type, length: bytes.length }]
    const { body } = await this.send('POST', BRIDGE_PATHS.uploads, { device_id: deviceId, objects })
    const put = await fetch(body.data.grants[0].url, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    })
    if (!put.ok) throw new Error(`The upload was refused: ${await put.text()}`)
    return body.data.grants[0].object
  }

  control(): Promise<Socket> {
    return this.socket(BRIDGE_PATHS.control)
  }

  /** Opens the socket that carries one camera's video, in one rendition, to the provider's relay. */
  relay(deviceId: string, rendition?: string): Promise<Socket> {
    return this.socket(`${BRIDGE_PATHS.relay}/${deviceId}${rendition === undefined ? '' : `?rendition=${rendition}`}`)
  }

  private socket(path: string): Promise<Socket> {
    return openSocket(this.origin.replace('http', 'ws') + path, { headers: this.headers('GET', path) })
  }
}

export const RECENT = Math.floor(Date.now() / 1000) * 1000 - 2 * 3_600_000 // within the retention period of every plan
export const makeEvent = (deviceId: string, eventId: string, change: Partial<BridgeEvent> = {}): BridgeEvent => ({
  event_id: eventId,
  device_id: deviceId,
  event_ts: RECENT,
  tags: ['101'],
  event_values: ['person'],
  title: 'Person',
  event_resources: [],
  reviewed: false,
  clip_object: null,
  thumb_object: null,
  ...change,
})
