import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { RefundFailed, type Gateway } from '../payment/gateway-interface.ts'
import { findNextBillingTime } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { failRefund } from './failed-refunds.ts'
import { logFailure } from './failure.ts'
import { acknowledge, outgoing, type OutboxEntry } from './outbox.ts'
import type { RecordOf } from './record-schemas.ts'
import { refundSent } from './refunds.ts'
import { buildProjection } from './projection.ts'
import type { OutboxConsumers } from './outbox-consumers.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Retry delay: exponential backoff, capped at one hour. */
const AGAIN_MS = 2000
const againAfter = (failures: number): number => Math.min(HOUR_MS, AGAIN_MS * 2 ** Math.max(0, failures - 1))
/** Minimum delay of an alarm. */
const SOONEST_MS = 500

type Alarm = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>

/**
 * Delivers the ledger's outbox in order, with retries until the consumers have accepted it. Sets the only alarm of the
 * Durable Object.
 */
export class OutboxDispatcher {
  private readonly ctx: LedgerContext
  private readonly readers: OutboxConsumers
  private readonly alarm: Alarm
  /** Consecutive failed deliveries. */
  private failures = 0
  private sending: Promise<void> | null = null

  constructor(ctx: LedgerContext, readers: OutboxConsumers, alarm: Alarm) {
    this.ctx = ctx
    this.readers = readers
    this.alarm = alarm
  }

  /** Sends the outbox. Concurrent callers wait, then send messages that were added meanwhile. */
  async send(): Promise<void> {
    while (this.sending) await this.sending
    this.sending = this.#send().finally(() => {
      this.sending = null
    })
    await this.sending
  }

  hasNews(): boolean {
    return outgoing(this.ctx.book).length > 0
  }

  /** Delivers all messages of the outbox. A message that fails must not block the others. */
  async #send(): Promise<void> {
    const messages = outgoing(this.ctx.book)
    if (messages.length === 0) return
    const of = <K extends OutboxEntry['kind']>(kind: K) =>
      messages.filter((message): message is Extract<OutboxEntry, { kind: K }> => message.kind === kind)
    const projectionMessages = messages.filter(({ kind }) => kind === 'subscription' || kind === 'coupon')
    const people = of('message')
    const parts = [
      ...(projectionMessages.length > 0 ? [() => this.#tell(projectionMessages)] : []),
      ...of('forget').map((message) => () => this.#forget(message)),
      ...of('refund').map((message) => () => this.#refund(message)),
      ...(people.length > 0 ? [() => this.#say(people)] : []),
    ]
    let isTold = true
    for (const part of parts) isTold = (await done(part)) && isTold
    this.failures = isTold ? 0 : this.failures + 1
  }

  async #tell(messages: readonly OutboxEntry[]): Promise<void> {
    const { book, taxBasisPoints } = this.ctx
    await this.readers.write(messages.flatMap((message) => buildProjection(book, message, taxBasisPoints)))
    if (messages.some(({ kind }) => kind === 'subscription')) await this.readers.notifyHomes()
    acknowledge(book, messages)
  }

  async #forget(message: Extract<OutboxEntry, { kind: 'forget' }>): Promise<void> {
    const { book, gateway } = this.ctx
    await gateway?.deleteMethod(book.account, message.token)
    acknowledge(book, [message])
  }

  /** Repeating a refund is safe: the gateway treats the same id as the same refund. */
  async #refund(message: Extract<OutboxEntry, { kind: 'refund' }>): Promise<void> {
    const { book, gateway } = this.ctx
    const refund = book.get('refund', message.id)
    if (gateway === null) throw new Error('There is no gateway that could give something back.')
    const now = Date.now() + book.count('clock')
    const isTaken = refund?.state !== 'open' || (await this.#isTaken(gateway, refund, now))
    book.transaction(() => {
      if (isTaken) refundSent(book, message.id, now)
      else failRefund(this.ctx, message.id, now)
    })
    acknowledge(book, [message])
  }

  /** Sends a refund to the gateway. Returns false if the bank has returned the refund. */
  async #isTaken(gateway: Gateway, { refund_id, charge_id, cents }: RecordOf<'refund'>, now: number): Promise<boolean> {
    try {
      await gateway.refund(this.ctx.book.account, charge_id, refund_id, cents, now)
      return true
    } catch (error) {
      if (error instanceof RefundFailed) return false
      throw error
    }
  }

  async #say(messages: readonly Extract<OutboxEntry, { kind: 'message' }>[]): Promise<void> {
    await this.readers.notify(messages)
    acknowledge(this.ctx.book, messages)
  }

  /**
   * Sets the alarm to the earliest due time, converted from the test clock to real time. Deletes the alarm if nothing
   * is due.
   */
  async wake(): Promise<void> {
    const { book } = this.ctx
    const isLeft = outgoing(book).length > 0 && !this.sending
    const due = (findNextBillingTime(book) ?? Infinity) - book.count('clock')
    const at = Math.min(due, isLeft ? Date.now() + againAfter(this.failures) : Infinity)
    if (at === Infinity) await this.alarm.deleteAlarm()
    else if ((await this.alarm.getAlarm()) !== at) await this.alarm.setAlarm(Math.max(at, Date.now() + SOONEST_MS))
  }
}

async function done(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    logFailure('post', error)
    return false
  }
}
