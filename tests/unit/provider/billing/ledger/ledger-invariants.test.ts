import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '../../../../../contract/billing/purchase.ts'
import type { CouponUse, PurchaseRequest, OrderRequest } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import { applyCoupon, previewCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import { runIdempotent } from '../../../../../provider/billing/ledger/idempotency-keys.ts'
import { bindTo } from '../../../../../provider/billing/ledger/licenses.ts'
import {
  addMethod,
  setDefaultPaymentMethod,
  removePaymentMethod,
} from '../../../../../provider/billing/ledger/payment-methods.ts'
import { previewClosing } from '../../../../../provider/billing/ledger/account-closing.ts'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { extendFreeTrial } from '../../../../../provider/billing/ledger/trial-extension.ts'
import {
  applyCancellation,
  undoCancellation,
  cancellationOptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { pause, resumeSubscription } from '../../../../../provider/billing/ledger/pause-subscription.ts'
import { isBusy, openCharges } from '../../../../../provider/billing/ledger/pending-charges.ts'
import { isRefused } from '../../../../../provider/billing/ledger/errors.ts'
import { ownRunning } from '../../../../../provider/billing/ledger/subscription-rules.ts'
import { CARD, Killed, openBook, type TestBook } from '../../../../support/book.ts'
import { mustBeRight } from '../../../../support/book-invariants.ts'
import { step, type Step } from '../../../../support/book-steps.ts'
import { scaled } from '../../../../support/machine.ts'
import { selectExtent } from '../../../../support/tier.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const BOUGHT = ['purchase', 'renewal', 'declined', 'void', 'end', 'credit', 'free_months', 'bonus', 'bind']
const KEPT = ['cancelled', 'undone', 'paused', 'resumed', 'refund', 'waived']
/** Number of step sequences: 5,000 steps in `npm test`, 100,000 in `npm run test:all`. */
const RUNS = selectExtent(97, 1924)
/** `npm test` uses a fixed seed, so that the random steps cannot miss an entry kind by chance. */
const SEED = selectExtent({ seed: 77 }, {})
/** Minimum number of entries of each kind in `BOUGHT` and in `KEPT`. */
const [BOUGHT_MIN, KEPT_MIN] = selectExtent([3, 1], [11, 3])
const STEPS = 52
const START = Date.UTC(2026, 0, 31, 9, 41, 7)

/** One account, a simulated user who acts on it, and the responses to that user. */
class Play {
  readonly town: TestBook = openBook({ now: START })
  now = START
  #keys = 0
  #last: PurchaseRequest | null = null
  /** Final purchase responses by idempotency key. `quotes`: the quotes of the purchase requests, by the same key. */
  readonly told = new Map<string, string>()
  readonly quotes = new Map<string, Quote>()

  async applyStep(operation: Step): Promise<void> {
    this.now += 1000
    try {
      await this.#do(operation)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      this.town.restart()
      // Runs the alarm after the restart. A second kill can interrupt the alarm too.
      await this.town.till.due(this.now).catch((again: unknown) => {
        if (!(again instanceof Killed)) throw again
        this.town.restart()
      })
    }
  }

  async #do(operation: Step): Promise<void> {
    const { town } = this
    const { book, ctx } = town
    if (operation.do === 'buy') await this.#buy(operation)
    else if (operation.do === 'again' && this.#last) await this.#ask(this.#last)
    else if (operation.do === 'wait') {
      this.now += operation.days * DAY_MS + operation.seconds * 1000
      await town.till.due(this.now)
    } else if (operation.do === 'fail') town.gateway.faults = [...operation.faults]
    else if (operation.do === 'kill') town.killAfter(operation.after)
    else if (operation.do === 'bind') {
      const plan = ownRunning(book, 'cam-ai', this.now)
      const own = [0, 1, 2, 3, 4, 5].map((n) => `cam_${n}`)
      const named = operation.cameras.map((n) => `cam_${n}`)
      if (plan) book.transaction(() => bindTo(book, plan.subscription_id, named, own, this.now))
    } else if (operation.do === 'card') this.#card(operation)
    else if (operation.do !== 'coupon') await this.#keep(operation)
    else {
      await town.till.due(this.now)
      if (isBusy(book)) return
      const use: CouponUse = {
        code: this.#key(),
        kind: operation.kind,
        sku: operation.sku,
        value: operation.value * (operation.kind === 'credit' ? 100 : 1),
      }
      book.transaction(() =>
        runIdempotent(book, { intent: use.code, body: use }, this.now, () => {
          previewCoupon(ctx, use, this.now)
          return applyCoupon(ctx, use, use.code, this.now)
        }),
      )
    }
  }

  /**
   * Applies a step that changes an existing plan: cancels, undoes a cancellation, pauses, resumes, extends the trial,
   * pays an open invoice, or moves the test clock.
   */
  async #keep(operation: Step): Promise<void> {
    const { till, book, ctx } = this.town
    if (operation.do === 'clock') {
      const real = this.now - book.count('clock')
      try {
        await advanceTestClock(ctx, till, { by: operation.days * DAY_MS, now: real })
      } finally {
        this.now = real + book.count('clock')
      }
      return
    }
    await till.due(this.now)
    const plan = book.all('subscription').find(({ channel, over }) => channel === 'web' && !over)
    if (!plan) return
    if (operation.do === 'mend') {
      const methods = book.all('method')
      const methodId = methods[operation.which % Math.max(1, methods.length)]?.method_id ?? ''
      await till.payOpen({ ...plan, methodId, intent: this.#key() }, this.now)
      return
    }
    book.transaction(() => {
      if (operation.do === 'pause') pause(book, plan, operation.months, this.now)
      else if (operation.do === 'resume') resumeSubscription(book, plan, this.now)
      else if (operation.do === 'stay') undoCancellation(ctx, plan, this.now)
      else if (operation.do === 'extend') extendFreeTrial(book, plan.subscription_id, this.now)
      else if (operation.do === 'leave') this.#leave(plan, operation.way)
    })
  }

  #leave(plan: { subscription_id: string; revision: number }, index: number): void {
    const { ctx } = this.town
    const ways = cancellationOptions(ctx, plan.subscription_id, this.now)
    const chosen = isRefused(ways) ? undefined : ways[index % ways.length]
    if (!chosen) return
    const before = holdings(this.town)
    const left = applyCancellation(ctx, plan, { way: chosen.way, reason: null }, this.now)
    if (isRefused(left)) return
    const { to_method, to_balance, from_balance } = chosen
    expect([left.to_method, left.to_balance]).toEqual([to_method, to_balance])
    const after = holdings(this.town)
    const [sent, added] = chosen.way === 'now' ? [to_method, to_balance - from_balance] : [0, 0]
    expect([after.refunded - before.refunded, after.balance - before.balance]).toEqual([sent, added])
  }

  #card({ what: action, which: index }: Extract<Step, { do: 'card' }>): void {
    const { book, ctx } = this.town
    const methods = book.all('method')
    const method = methods[index % Math.max(1, methods.length)]
    book.transaction(() => {
      if (action === 'add') addMethod(ctx, this.#key(), { ...CARD, token: this.#key() }, this.now)
      else if (method && action === 'choose') setDefaultPaymentMethod(book, method.method_id, this.now)
      else if (method) removePaymentMethod(book, method.method_id, this.now)
    })
  }

  async #buy({ sku, annual, quantity, off, trial }: Extract<Step, { do: 'buy' }>): Promise<void> {
    const { till, book } = this.town
    await till.due(this.now)
    const running = sku === 'hms' ? null : ownRunning(book, sku, this.now)
    const changes = running && { subscription_id: running.subscription_id, revision: running.revision }
    const isTrial = trial && running === null && sku === 'cam-ai'
    const order: OrderRequest = {
      ...{
        sku,
        period: annual ? 'annual' : 'monthly',
        quantity: sku === 'cam-ai' && !isTrial ? quantity : 1,
        changes,
        isTrial,
      },
      discount: off && !isTrial ? { code: this.#key(), kind: off > 100 ? 'amount' : 'percent', value: off } : null,
    }
    const quote = await till.preview(order, this.now)
    if (isRefused(quote)) return
    const { discount: _, isTrial: __, ...target } = order
    const method = book.all('method').find(({ is_default }) => is_default)
    const ask: PurchaseRequest = {
      ...{ intent: this.#key(), quote: quote.quote, wanted: target, change: running ? quote.change : null },
      ...{
        methodId: method?.method_id ?? null,
        cameras: sku === 'cam-ai' ? ['cam_0', 'cam_1'] : [],
        own: ['cam_0', 'cam_1', 'cam_2'],
      },
    }
    this.quotes.set(ask.intent, quote)
    this.#last = ask
    await this.#ask(ask)
  }

  async #ask(ask: PurchaseRequest): Promise<void> {
    const answer = await this.town.till.purchase(ask, this.now)
    const isFinal = answer.state === 'done' || (answer.state === 'refused' && answer.status === 402)
    if (!isFinal) return
    const result = JSON.stringify(answer)
    expect(this.told.get(ask.intent) ?? result).toBe(result)
    this.told.set(ask.intent, result)
  }

  #key = () => `key_of_this_intent_${(this.#keys += 1)}`
}

/** Closes the account, and asserts that the refunds match the preview to the cent and that the balance is 0. */
async function mustCloseAsShown({ town, now }: Play): Promise<void> {
  const { book, ctx } = town
  await town.till.due(now)
  const [preview, before] = [previewClosing(ctx, now), holdings(town)]
  expect(holdings(town)).toEqual(before)
  await town.till.end(now)
  const sent = preview.plans.reduce((sum, { to_method }) => sum + to_method, preview.from_balance)
  const after = holdings(town)
  expect([after.refunded - before.refunded, after.balance]).toEqual([sent, 0])
  expect(book.all('subscription').filter((subscription) => subscription.leaving && !subscription.over)).toEqual([])
}

const holdings = ({ book }: TestBook) => ({
  refunded: book.all('refund').reduce((sum, { cents }) => sum + cents, 0),
  balance: book.balance(),
})

/** Removes all faults, runs the alarm, and asserts that all pending charges and orders are complete. */
async function mustComeToAnEnd({ town, ...play }: Play, wait: () => number): Promise<void> {
  town.restart()
  town.gateway.faults = []
  for (let n = 0; n < 4; n += 1) await town.till.due(wait())
  expect(openCharges(town.book)).toEqual([])
  const collected = await town.gateway.charges()
  const orders = town.book.all('order').filter(({ paid }) => paid > 0)
  const booked = new Set(
    town.book
      .all('charge')
      .filter(({ state }) => state === 'booked')
      .map(({ charge_id }) => charge_id),
  )
  expect(new Set(collected.map(({ key }) => key))).toEqual(booked)
  expect(orders.every(({ order_id }) => booked.has(order_id))).toBe(true)
  for (const [intent, answer] of play.told)
    expect(town.book.all('order').some((order) => order.intent === intent)).toBe(JSON.parse(answer).state === 'done')
}

test(
  `the ledger invariants hold after each of ${RUNS * STEPS} random steps`,
  { timeout: scaled(1_200_000) },
  async () => {
    let steps = 0
    const seen: Record<string, number> = {}
    const sequences = fc.array(step, { minLength: STEPS, maxLength: STEPS })
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const play = new Play()
        for (const operation of sequence) {
          await play.applyStep(operation)
          await mustBeRight(play)
          steps += 1
        }
        await mustComeToAnEnd(play, () => (play.now += 2 * 3_600_000))
        await mustBeRight(play)
        await mustCloseAsShown(play)
        await mustBeRight(play)
        for (const { kind } of play.town.book.sql.exec<{ kind: string }>('SELECT kind FROM entries').toArray())
          seen[kind] = (seen[kind] ?? 0) + 1
      }),
      { ...SEED, numRuns: RUNS, endOnFailure: true },
    )
    expect(steps).toBe(RUNS * STEPS)
    for (const kind of BOUGHT) expect([kind, (seen[kind] ?? 0) >= BOUGHT_MIN]).toEqual([kind, true])
    for (const kind of KEPT) expect([kind, (seen[kind] ?? 0) >= KEPT_MIN]).toEqual([kind, true])
  },
)
