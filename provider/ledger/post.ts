import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { nextLook } from './charges.ts'
import type { LedgerContext } from './context.ts'
import { sayFailure } from './failure.ts'
import { acknowledge, outgoing, type Outgoing } from './outbox.ts'
import { projectionOf } from './projection.ts'
import type { Readers } from './readers.ts'

/** What could not be told is told again so much later: longer each time, an hour at most. */
const AGAIN_MS = 2000
const againAfter = (failures: number): number => Math.min(3_600_000, AGAIN_MS * 2 ** Math.max(0, failures - 1))
/** An alarm is never set sooner. */
const SOONEST_MS = 500

type Alarm = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>

/** Tells others what the book has written, in its order, until they have it; and sets the one alarm. */
export class Post {
  private readonly ctx: LedgerContext
  private readonly readers: Readers
  private readonly alarm: Alarm
  /** How often in a row something could not be told. */
  private failures = 0
  private sending: Promise<void> | null = null

  constructor(ctx: LedgerContext, readers: Readers, alarm: Alarm) {
    this.ctx = ctx
    this.readers = readers
    this.alarm = alarm
  }

  /** Sends what is there; whoever comes meanwhile waits for it, and sends what has come since. */
  async send(): Promise<void> {
    while (this.sending) await this.sending
    this.sending = this.#send().finally(() => {
      this.sending = null
    })
    await this.sending
  }

  /** What the gateway does not take holds up nobody else. */
  async #send(): Promise<void> {
    const messages = outgoing(this.ctx.book)
    if (messages.length === 0) return
    const told = messages.filter(({ kind }) => kind !== 'forget')
    const parts = [
      () => this.#tell(told),
      ...messages.filter((one) => one.kind === 'forget').map((one) => () => this.#forget(one)),
    ]
    let isTold = true
    for (const part of parts) isTold = (await done(part)) && isTold
    this.failures = isTold ? 0 : this.failures + 1
  }

  async #tell(messages: readonly Outgoing[]): Promise<void> {
    const { book, taxBasisPoints } = this.ctx
    await this.readers.write(messages.flatMap((one) => projectionOf(book, one, taxBasisPoints)))
    if (messages.some(({ kind }) => kind === 'subscription')) await this.readers.tellHomes()
    acknowledge(book, messages)
  }

  async #forget(one: Extract<Outgoing, { kind: 'forget' }>): Promise<void> {
    const { book, gateway } = this.ctx
    await gateway?.forget(book.account, one.token)
    acknowledge(book, [one])
  }

  /** Sets the alarm to the earliest moment that is due. */
  async wake(): Promise<void> {
    const { book } = this.ctx
    const isLeft = outgoing(book).length > 0 && !this.sending
    const at = Math.min(nextLook(book) ?? Infinity, isLeft ? Date.now() + againAfter(this.failures) : Infinity)
    if (at === Infinity) await this.alarm.deleteAlarm()
    else if ((await this.alarm.getAlarm()) !== at) await this.alarm.setAlarm(Math.max(at, Date.now() + SOONEST_MS))
  }
}

async function done(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    sayFailure('post', error)
    return false
  }
}
