import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { RefundFailedError, type PaymentGateway } from '../payment/gateway-interface.ts'
import { findNextBillingTime } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { recordFailedRefund } from './failed-refunds.ts'
import { logFailure } from './failure.ts'
import { acknowledge, listOutbox, type OutboxEntry } from './outbox.ts'
import type { RecordOf } from './record-schemas.ts'
import { markRefundSent } from './refunds.ts'
import { buildProjection } from './projection.ts'
import type { OutboxConsumers } from './outbox-consumers.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Base of the retry delay: exponential backoff, capped at one hour. */
const RETRY_BASE_MS = 2000
const getRetryDelayMs = (failures: number): number => Math.min(HOUR_MS, RETRY_BASE_MS * 2 ** Math.max(0, failures - 1))
const ALARM_DELAY_MIN_MS = 500

type Alarm = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>

/**
 * Delivers the messages of the ledger's outbox, and retries until the consumers accept them. Only this class sets the
 * alarm of the Durable Object.
 */
export class OutboxDispatcher {
  readonly #ctx: LedgerContext
  readonly #consumers: OutboxConsumers
  readonly #alarm: Alarm
  /** Consecutive failed deliveries. */
  #failures = 0
  #sending: Promise<void> | null = null

  constructor(ctx: LedgerContext, consumers: OutboxConsumers, alarm: Alarm) {
    this.#ctx = ctx
    this.#consumers = consumers
    this.#alarm = alarm
  }

  /**
   * Delivers the outbox. Concurrent callers wait for the current delivery, and then deliver messages that were added
   * meanwhile.
   */
  async send(): Promise<void> {
    while (this.#sending) await this.#sending
    this.#sending = this.#send().finally(() => {
      this.#sending = null
    })
    await this.#sending
  }

  hasMessages(): boolean {
    return this.#listMessages().length > 0
  }

  /** Returns the messages that may be delivered now. During a hold, only the projection is updated. */
  #listMessages(): OutboxEntry[] {
    const messages = listOutbox(this.#ctx.book)
    return this.#ctx.book.isHeld() ? messages.filter(isProjectionMessage) : messages
  }

  /** Delivers all messages of the outbox in several parts. A part that fails does not block the others. */
  async #send(): Promise<void> {
    const messages = this.#listMessages()
    if (messages.length === 0) return
    const filterByKind = <K extends OutboxEntry['kind']>(kind: K) =>
      messages.filter((message): message is Extract<OutboxEntry, { kind: K }> => message.kind === kind)
    const projectionMessages = messages.filter(isProjectionMessage)
    const notifications = filterByKind('message')
    const parts = [
      ...(projectionMessages.length > 0 ? [() => this.#writeProjection(projectionMessages)] : []),
      ...filterByKind('forget').map((message) => () => this.#deleteMethod(message)),
      ...filterByKind('refund').map((message) => () => this.#sendRefund(message)),
      ...(notifications.length > 0 ? [() => this.#notifyAccount(notifications)] : []),
    ]
    let isDelivered = true
    for (const part of parts) isDelivered = (await tryDelivery(part)) && isDelivered
    this.#failures = isDelivered ? 0 : this.#failures + 1
  }

  async #writeProjection(messages: readonly OutboxEntry[]): Promise<void> {
    const { book, taxBasisPoints } = this.#ctx
    await this.#consumers.write(messages.flatMap((message) => buildProjection(book, message, taxBasisPoints)))
    if (messages.some(({ kind }) => kind === 'subscription')) await this.#consumers.notifyHomes()
    acknowledge(book, messages)
  }

  async #deleteMethod(message: Extract<OutboxEntry, { kind: 'forget' }>): Promise<void> {
    const { book, gateway } = this.#ctx
    await gateway?.deleteMethod(book.account, message.token)
    acknowledge(book, [message])
  }

  /**
   * Sends a refund to the gateway and books the result. A repeated call is safe, because the gateway sends each refund
   * id only once.
   */
  async #sendRefund(message: Extract<OutboxEntry, { kind: 'refund' }>): Promise<void> {
    const { book, gateway } = this.#ctx
    const refundRecord = book.get('refund', message.id)
    if (gateway === null) throw new Error("The refund can't be sent because no payment gateway is set up.")
    const now = Date.now() + book.getCounter('clock')
    const isAccepted = refundRecord?.state !== 'open' || (await this.#trySendRefund(gateway, refundRecord, now))
    book.transaction(() => {
      if (isAccepted) markRefundSent(book, message.id, now)
      else recordFailedRefund(this.#ctx, message.id, now)
    })
    acknowledge(book, [message])
  }

  async #trySendRefund(
    gateway: PaymentGateway,
    { refund_id, charge_id, cents }: RecordOf<'refund'>,
    now: number,
  ): Promise<boolean> {
    try {
      await gateway.refund(this.#ctx.book.account, charge_id, refund_id, cents, now)
      return true
    } catch (error) {
      if (error instanceof RefundFailedError) return false
      throw error
    }
  }

  async #notifyAccount(messages: readonly Extract<OutboxEntry, { kind: 'message' }>[]): Promise<void> {
    await this.#consumers.notify(messages)
    acknowledge(this.#ctx.book, messages)
  }

  /**
   * Sets the alarm to the earliest due billing work or delivery attempt, converted from the test clock to real time.
   * Deletes the alarm if there is neither.
   */
  async scheduleAlarm(): Promise<void> {
    const { book } = this.#ctx
    const hasUnsentMessages = this.hasMessages() && !this.#sending
    const nextDue = book.isHeld() ? null : findNextBillingTime(book)
    const due = (nextDue ?? Infinity) - book.getCounter('clock')
    const at = Math.min(due, hasUnsentMessages ? Date.now() + getRetryDelayMs(this.#failures) : Infinity)
    if (at === Infinity) await this.#alarm.deleteAlarm()
    else if ((await this.#alarm.getAlarm()) !== at)
      await this.#alarm.setAlarm(Math.max(at, Date.now() + ALARM_DELAY_MIN_MS))
  }
}

const isProjectionMessage = ({ kind }: OutboxEntry): boolean => kind === 'subscription' || kind === 'coupon'

async function tryDelivery(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    logFailure('post', error)
    return false
  }
}
