import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import type { Env } from '../../env.ts'
import type { HomeCameraAccess } from '../members/camera-access-rows.ts'
import { homeStub } from '../members/home-stub.ts'
import { listOpenSockets } from '../../platform/sockets/websocket-upgrade.ts'

/** Tag of a feed socket whose page sends no checks. */
const PASSIVE_TAG = 'feed:passive'

/** Feed sockets that are open at this home. Forwards messages to accounts whose feed is open at another home. */
export class FeedSockets {
  readonly #ctx: DurableObjectState
  readonly #env: Env
  readonly #access: HomeCameraAccess
  /** One stub per home. Only calls of the same stub arrive in order. */
  readonly #stubs = new Map<string, ReturnType<typeof homeStub>>()

  constructor(ctx: DurableObjectState, env: Env, access: HomeCameraAccess) {
    this.#ctx = ctx
    this.#env = env
    this.#access = access
  }

  /** Accepts a feed socket. `sendsChecks`: true if the page requests the checks of the bridges. */
  accept(socket: WorkerSocket, userId: string, sendsChecks: boolean): void {
    this.#ctx.acceptWebSocket(socket, sendsChecks ? [userId] : [userId, PASSIVE_TAG])
  }

  push(message: FeedMessage): void {
    this.pushToEachAccount(() => message)
  }

  pushForCamera(deviceId: string, message: FeedMessage): void {
    this.pushToEachAccount((canSee) => (canSee(deviceId) ? message : null))
  }

  /**
   * Calls `build` once for each account whose feed is open at this home or at another home, and sends the message
   * unless it is null. `canSee` returns true if the account may see a camera.
   */
  pushToEachAccount(build: (canSee: (deviceId: string) => boolean, userId: string) => FeedMessage | null): void {
    const texts = new Map<string, string | null>()
    const getText = (userId: string) => {
      const cached = texts.get(userId)
      if (cached !== undefined) return cached
      const message = build((deviceId) => this.#access.findCameraRole(userId, deviceId) !== null, userId)
      const text = message && JSON.stringify(message)
      texts.set(userId, text)
      return text
    }
    for (const socket of listOpenSockets(this.#ctx)) {
      const text = getText(this.#ctx.getTags(socket)[0] ?? '')
      if (text !== null) socket.send(text)
    }
    for (const { user_id, home_id } of this.#access.listFeedHomes()) {
      const text = getText(user_id)
      if (text !== null) this.#ctx.waitUntil(this.#getStub(home_id).forward(user_id, text))
    }
  }

  /** Sends a message to the open pages of one account, even if its feed is open at another home. */
  sendToAccount(userId: string, message: FeedMessage): void {
    const text = JSON.stringify(message)
    this.forward(userId, text)
    const follower = this.#access.listFeedHomes().find((follower) => follower.user_id === userId)
    if (follower) this.#ctx.waitUntil(this.#getStub(follower.home_id).forward(userId, text))
  }

  /** Sends a message to the feed sockets that the account has open at this home. `text`: JSON of a `FeedMessage`. */
  forward(userId: string, text: string): void {
    for (const socket of listOpenSockets(this.#ctx, userId)) socket.send(text)
  }

  /** Returns true if the account has its feed open at this home. */
  isOpen(userId: string): boolean {
    return listOpenSockets(this.#ctx, userId).length > 0
  }

  /**
   * Returns true if a page is open that shows cameras of this home and does not request checks of this home's bridges:
   * its feed is passive, or it is open at another home.
   */
  async hasPassivePages(): Promise<boolean> {
    if (listOpenSockets(this.#ctx, PASSIVE_TAG).length > 0) return true
    const followers = this.#access.listFeedHomes()
    const areOpen = followers.map(({ user_id, home_id }) => this.#getStub(home_id).hasOpenFeed(user_id))
    return (await Promise.all(areOpen)).includes(true)
  }

  close(userId: string, code: number, reason: string): void {
    for (const socket of listOpenSockets(this.#ctx, userId)) socket.close(code, reason)
  }

  #getStub(homeId: string) {
    const stub = this.#stubs.get(homeId) ?? homeStub(this.#env, homeId)
    this.#stubs.set(homeId, stub)
    return stub
  }
}
