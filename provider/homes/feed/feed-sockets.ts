import type { DurableObjectState } from '@cloudflare/workers-types'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import type { Env } from '../../env.ts'
import type { HomeCameraAccess } from '../members/camera-access-rows.ts'
import { homeStub } from '../members/home-stub.ts'
import { openSockets } from '../../platform/sockets/websocket-upgrade.ts'

/** Feed sockets of a home, and forwarding to accounts whose feed is at another home. */
export class FeedSockets {
  private readonly ctx: DurableObjectState
  private readonly env: Env
  private readonly access: HomeCameraAccess
  /** One stub per home: messages arrive in the order they are sent. */
  private readonly stubs = new Map<string, ReturnType<typeof homeStub>>()

  constructor(ctx: DurableObjectState, env: Env, access: HomeCameraAccess) {
    this.ctx = ctx
    this.env = env
    this.access = access
  }

  push(message: FeedMessage): void {
    this.pushEach(() => message)
  }

  pushForCamera(deviceId: string, message: FeedMessage): void {
    this.pushEach((sees) => (sees(deviceId) ? message : null))
  }

  /**
   * Sends each account the message that `build` returns for it, or nothing if `build` returns null. `sees` tells
   * whether the account may see a camera.
   */
  pushEach(build: (sees: (deviceId: string) => boolean, userId: string) => FeedMessage | null): void {
    const texts = new Map<string, string | null>()
    const textFor = (userId: string) => {
      const cached = texts.get(userId)
      if (cached !== undefined) return cached
      const message = build((deviceId) => this.access.roleAt(userId, deviceId) !== null, userId)
      const text = message && JSON.stringify(message)
      texts.set(userId, text)
      return text
    }
    for (const socket of openSockets(this.ctx)) {
      const text = textFor(this.ctx.getTags(socket)[0] ?? '')
      if (text !== null) socket.send(text)
    }
    for (const { user_id, home_id } of this.access.followers()) {
      const text = textFor(user_id)
      if (text !== null) this.ctx.waitUntil(this.stub(home_id).forward(user_id, text))
    }
  }

  /** Notifies one account, at the home where its feed is open. */
  sendToAccount(userId: string, message: FeedMessage): void {
    const text = JSON.stringify(message)
    this.forward(userId, text)
    const elsewhere = this.access.followers().find((follower) => follower.user_id === userId)
    if (elsewhere) this.ctx.waitUntil(this.stub(elsewhere.home_id).forward(userId, text))
  }

  /** Notifies the open pages of one account whose feed is at this home. */
  forward(userId: string, text: string): void {
    for (const socket of openSockets(this.ctx, userId)) socket.send(text)
  }

  close(userId: string, code: number, reason: string): void {
    for (const socket of openSockets(this.ctx, userId)) socket.close(code, reason)
  }

  private stub(homeId: string) {
    const stub = this.stubs.get(homeId) ?? homeStub(this.env, homeId)
    this.stubs.set(homeId, stub)
    return stub
  }
}
