import { createHash, createHmac, randomBytes } from 'node:crypto'
import { BRIDGE_PATHS, type BridgeEvent, type RegisterCameraRequest } from '../../contract/bridge/bridge-protocol.ts'
import { type Call, fillPath } from '../../contract/wire/call.ts'
import { ENDPOINT_GROUPS, getSecretBinding } from '../../contract/wire/endpoint-groups.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { hashToken } from '../../provider/platform/crypto/token-hash.ts'
import { formatMediaUrl, formatSignedContent, getMediaExpiry, type MediaKind } from '../../contract/media/media-urls.ts'
import { issueMediaToken } from '../../contract/media/media-token.ts'
import { storeBridge } from '../../provider/bridge/enroll-bridge.ts'
import type { Env } from '../../provider/env.ts'
import { createAccessTokenId } from '../../provider/platform/auth/access-token-id.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { createHome } from '../../provider/homes/members/create-home.ts'
import { openTestDeployment, type TestDeployment } from './harness.ts'
import { buildTokenHeader } from './provider.ts'
import { openSocket, type TestSocket } from './socket.ts'

export type Account = Pick<Household, 'userId' | 'token'>
export interface Household {
  readonly userId: string
  readonly token: string
  readonly homeId: string
  readonly bridge: TestBridge
}

export interface CallResponse {
  readonly status: number
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field of the body
  readonly body: any
}

/** Provider with two unrelated households, `a` and `b`. */
export interface Neighborhood {
  readonly stage: TestDeployment
  readonly bindings: Env
  readonly a: Household
  readonly b: Household
  /** Sends one contract call as the edge does: signed and with a nonce. */
  call(
    account: Account,
    call: Call,
    input?: Record<string, unknown>,
    params?: Record<string, string>,
  ): Promise<CallResponse>
  /**
   * Sends the same call three times: with a nonce, with the same nonce again, and without a nonce. Returns the three
   * responses.
   */
  replayNonce(account: Account, call: Call, input?: Record<string, unknown>): Promise<CallResponse[]>
  close(): Promise<void>
}

export async function openNeighborhood(options: Parameters<typeof openTestDeployment>[0] = {}): Promise<Neighborhood> {
  const deployment = await openTestDeployment(options)
  const bindings = (await deployment.provider.getWorker().getEnv()) as Env
  const [a, b] = await Promise.all([
    addHousehold(deployment, bindings, 'a', true),
    addHousehold(deployment, bindings, 'b', false),
  ])
  return {
    stage: deployment,
    bindings,
    a,
    b,
    call: (account, call, input = {}, params = {}) =>
      sendSignedCall(deployment, account, call, input, createNonce(), params),
    async replayNonce(account, call, input = {}) {
      const nonce = createNonce()
      const first = await sendSignedCall(deployment, account, call, input, nonce)
      return [
        first,
        await sendSignedCall(deployment, account, call, input, nonce),
        await sendSignedCall(deployment, account, call, input, undefined),
      ]
    },
    close: () => deployment.close(),
  }
}

/** Adds a signed-in account without a home of its own. */
export async function addAccount(env: Env, name: string): Promise<{ userId: string; token: string }> {
  const userId = `user_${name}`
  const token = createAccessTokenId(env, userId)
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 3600
  await env.DB.batch([
    env.DB.prepare('INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)').bind(
      userId,
      `${name}@example.com`,
      '-',
      Date.now(),
    ),
    env.DB.prepare(
      "INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed) VALUES ('AccessToken', ?, '{}', ?, ?, ?, 1)",
    ).bind(hashToken(token), `grant_${name}`, userId, expiresAtSeconds),
  ])
  return { userId, token }
}

/** Returns a signed media URL with the account's media token, as the edge creates it. */
export async function createSignedMediaUrl(
  neighborhood: Neighborhood,
  account: Account,
  kind: MediaKind,
  id: string,
): Promise<string> {
  const p = (await neighborhood.call(account, issueMediaToken)).body.data.pass as string
  return signMediaUrl(neighborhood.stage.env, p, kind, id)
}

type MediaSettings = Pick<RunEnvironment, 'MEDIA_KEY' | 'PROVIDER_ORIGIN'>
/** Returns a media URL, signed as the edge does. `p`: media token. */
export function signMediaUrl({ MEDIA_KEY, PROVIDER_ORIGIN }: MediaSettings, p: string, kind: MediaKind, id: string) {
  const exp = getMediaExpiry(kind, Date.now())
  const content = formatSignedContent(kind, id, p, exp)
  const sig = createHmac('sha256', MEDIA_KEY).update(content).digest('hex')
  return formatMediaUrl(PROVIDER_ORIGIN, kind, id, { p, exp, sig })
}

/** Adds another access token with its own grant to the account, as a sign-in in another browser does. */
export async function addAccessToken(env: Env, { userId }: Account, name: string): Promise<Account> {
  const token = createAccessTokenId(env, userId)
  await env.DB.prepare(
    "INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed) VALUES ('AccessToken', ?, '{}', ?, ?, ?, 1)",
  )
    .bind(hashToken(token), `grant_${name}`, userId, Math.floor(Date.now() / 1000) + 3600)
    .run()
  return { userId, token }
}

async function addHousehold(deployment: TestDeployment, env: Env, name: string, demo: boolean): Promise<Household> {
  const homeId = `home_${name}`
  const { userId, token } = await addAccount(env, name)
  await env.DB.prepare(
    `INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at)
     VALUES (?1, ?1, 'unlimited', 'active', 1, 'annual', 'card', 0, 0)`,
  )
    .bind(userId)
    .run()
  await createHome(env, { homeId, name: `Home of ${name}`, ownerUserId: userId, demo }, Date.now())
  const bridge = new TestBridge(deployment.env.PROVIDER_ORIGIN, `bridge_${name}`)
  await storeBridge(env, bridge.id, { key_hash: bridge.keyHash, name, homes: [homeId] }, Date.now())
  return { userId, token, homeId, bridge }
}

let nonceCounter = 10_000
/** Returns a unique nonce in the format of `contract/wire/constants.ts`: the time in ms and five more digits. */
const createNonce = () => `${Date.now()}${(nonceCounter += 1)}`

async function sendSignedCall(
  deployment: TestDeployment,
  account: Account,
  call: Call,
  input: Record<string, unknown>,
  nonce: string | undefined,
  params: Record<string, string> = {},
): Promise<CallResponse> {
  const group = ENDPOINT_GROUPS[call.group]
  const payload = {
    ...(call.nonce && nonce ? { nonce } : {}),
    ...(call.userId ? { user_id: account.userId } : {}),
    ...input,
  }
  const content = call.method === 'GET' ? buildQuery(payload) : JSON.stringify(payload)
  const headers = buildTokenHeader(group.tokenHeader, account.token)
  if (group.secret) {
    const secret = (deployment.env as unknown as Record<string, string>)[getSecretBinding(group.secret)] ?? ''
    const key = createHash('sha256')
      .update(account.token + secret)
      .digest()
    headers[SIGNATURE_HEADER] = createHmac('sha256', key).update(content).digest('hex')
  }
  const path = fillPath(call.path, params)
  const url = `${deployment.env.PROVIDER_ORIGIN}${path}${call.method === 'GET' ? `?${content}` : ''}`
  const response = await fetch(url, {
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

export const TEST_CAMERA: RegisterCameraRequest = {
  nickname: 'Front door',
  device_model: 'PL-1',
  provider: 'lake',
  renditions: ['360p'],
  dual: false,
  audio: false,
  battery: false,
  device_order: 1,
}

/**
 * Bridge side of `contract/bridge/bridge-protocol.ts`. `headers` signs any method, path, body and time, so that tests
 * can also send wrong requests.
 */
export class TestBridge {
  readonly origin: string
  readonly id: string
  readonly #key: Buffer

  constructor(origin: string, id: string, key: Buffer = randomBytes(32)) {
    this.origin = origin
    this.id = id
    this.#key = key
  }

  get keyHash(): string {
    return createHash('sha256').update(this.#key).digest('hex')
  }

  /** Returns a bridge that claims to be the bridge `id` but signs its requests with the key of this bridge. */
  createBridgeWithId(id: string): TestBridge {
    return new TestBridge(this.origin, id, this.#key)
  }

  headers(method: string, path: string, body = '', time = Date.now()): Record<string, string> {
    const digest = createHash('sha256').update(body).digest()
    const hmac = createHmac('sha256', createHash('sha256').update(this.#key).digest())
    return {
      authorization: `Bridge ${this.id}`,
      'x-bridge-time': String(time),
      'content-digest': `sha-256=:${digest.toString('base64')}:`,
      'x-bridge-signature': hmac.update(`${method}\n${path}\n${time}\n${digest.toString('hex')}`).digest('hex'),
    }
  }

  async send(method: string, path: string, payload?: unknown): Promise<CallResponse> {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const response = await fetch(this.origin + path, {
      method,
      headers: this.headers(method, path, body),
      ...(body ? { body } : {}),
    })
    return { status: response.status, body: await response.json() }
  }

  register(deviceId: string, change: Partial<RegisterCameraRequest> = {}): Promise<CallResponse> {
    return this.send('PUT', `${BRIDGE_PATHS.cameras}/${deviceId}`, { ...TEST_CAMERA, ...change })
  }

  postEvent(event: BridgeEvent): Promise<CallResponse> {
    return this.send('POST', BRIDGE_PATHS.events, { event })
  }

  /** Uploads an object. Returns the name of the stored object, which is `object` in the upload grant. */
  async upload(deviceId: string, kind: 'clip' | 'thumb' | 'last', name: string, bytes: Buffer): Promise<string> {
    const type = kind === 'clip' ? 'video/mp4' : 'image/jpeg'
    const objects = [{ kind, name, type, length: bytes.length }]
    const { body } = await this.send('POST', BRIDGE_PATHS.uploads, { device_id: deviceId, objects })
    const uploadResponse = await fetch(body.data.grants[0].url, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    })
    if (!uploadResponse.ok) throw new Error(`The upload was rejected: ${await uploadResponse.text()}`)
    return body.data.grants[0].object
  }

  openControlSocket(): Promise<TestSocket> {
    return this.#openSocket(BRIDGE_PATHS.control)
  }

  /** Opens the socket that carries one camera's video, in one rendition, to the provider's relay. */
  openRelaySocket(deviceId: string, rendition?: string): Promise<TestSocket> {
    return this.#openSocket(
      `${BRIDGE_PATHS.relay}/${deviceId}${rendition === undefined ? '' : `?rendition=${rendition}`}`,
    )
  }

  #openSocket(path: string): Promise<TestSocket> {
    return openSocket(this.origin.replace('http', 'ws') + path, { headers: this.headers('GET', path) })
  }
}

export const RECENT_TIME_MS = Math.floor(Date.now() / 1000) * 1000 - 2 * 3_600_000 // within the retention period of every plan
export const createBridgeEvent = (
  deviceId: string,
  eventId: string,
  change: Partial<BridgeEvent> = {},
): BridgeEvent => ({
  event_id: eventId,
  device_id: deviceId,
  event_ts: RECENT_TIME_MS,
  tags: ['101'],
  event_values: ['person'],
  title: 'Person',
  event_resources: [],
  reviewed: false,
  clip_object: null,
  thumb_object: null,
  ...change,
})
