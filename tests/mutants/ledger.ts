import { createMutants, type Mutant } from './mutant.ts'

const rules = 'tests/unit/money-rules.test.ts'
const book = 'tests/unit/book.test.ts'
const leaving = 'tests/unit/book-leaving.test.ts'
const gifts = 'tests/unit/book-gifts.test.ts'
const open = 'tests/unit/book-pay-open.test.ts'
const pausing = 'tests/unit/book-pausing.test.ts'
const bills = 'tests/unit/bills.test.ts'

/** Prices, taxes and periods. */
const MONEY: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/pricing/tax.ts',
    [rules],
    [
      [
        'N1',
        'tax that is given back is rounded toward 0',
        '0 - half(-amount * basisPoints',
        'half(amount * basisPoints',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/coupon-discount.ts',
    [rules],
    [
      ['N2', 'half a cent of a discount is dropped', 'half(line * value, 100)', 'Math.floor((line * value) / 100)'],
      ['N3', 'a coupon takes off more than the price', 'Math.min(line, Math.max(0, off))', 'Math.max(0, off)'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/proration.ts',
    [rules],
    [
      [
        'N4',
        'a second that has begun is unused',
        'Math.floor((until - now) / 1000)',
        'Math.ceil((until - now) / 1000)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/billing-period.ts',
    [rules],
    [['N5', 'a month after January 31 is in March', 'Math.min(from.getUTCDate(), lastDay)', 'from.getUTCDate()']],
  ),
  ...createMutants(
    'provider/billing/pricing/plan-change.ts',
    [rules],
    [
      ['N6', 'a plan that is past due waits for the end of what nobody paid', "from?.status !== 'past_due' && ", ''],
      ['N7', 'a plan that is canceled calls off its next period', "from.status === 'active' && isSame", 'isSame'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/quote.ts',
    [rules],
    [
      [
        'N8',
        'a credit note takes from the balance',
        'Math.max(0, Math.min(balance, total))',
        'Math.min(balance, total)',
      ],
      ['N9', 'free days are charged', 'ask.isLater || ask.isTrial || ask.isUndo', 'ask.isLater || ask.isUndo'],
      ['N10', 'a later plan begins today', 'ask.isLater && changed ? changed.until : from', 'from'],
      [
        'N31',
        'rounding of tax returns a cent more than was paid',
        'taxFor(plan.amount - off, taxBasisPoints) - plan.tax',
        'taxFor(-off, taxBasisPoints)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/cancellation-refund.ts',
    [leaving],
    [
      ['N11', 'day 15 still brings all of it back', 'now < firstCharge +', 'now <= firstCharge +'],
      ['N12', 'the month that runs comes back too', 'ended === -1 ? 12 : ended + 1', 'ended === -1 ? 12 : ended'],
    ],
  ),
]

/** Ledger entries and charges. */
const BOOK: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/ledger-store.ts',
    [book, gifts],
    [
      ['L1', 'an entry is written that does not sum to 0', ', 0) !== 0) throw', ', 0) === 0.5) throw'],
      ['L2', 'a quote is true after money has moved', "if (moved.length > 0) this.next('revision')", ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/begin-purchase.ts',
    [book],
    [
      ['L3', 'two purchases run at once', 'if (isBusy(ctx.book)) return busy()', ''],
      ['L4', 'a key buys something else', 'if (stored && stored.hash !== hash) return intentUsed()', ''],
      ['L5', 'an expired quote is charged', ' && sealed.exp > now', ''],
      ['L6', 'a quote of an older book is charged', 'sealed.book === fresh.book && ', ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/charge-processor.ts',
    [book, 'tests/unit/book-ended.test.ts', open],
    [
      [
        'L7',
        'a purchase continues after the page reported no charge',
        "charge.state === 'written' && !charge.heard",
        "charge.state !== 'written' && !charge.heard",
      ],
      [
        'L8',
        'an account that is gone is charged',
        'book.isEnded() ? await this.#wasCollected(charge) : await this.#ask(charge, now)',
        'await this.#ask(charge, now)',
      ],
      [
        'L9',
        'a renewal is collected after its days of grace',
        "if (charge.state === 'written' && this.#isOver(charge, now)) {",
        'if (!charge) {',
      ],
      [
        'L10',
        'the bank takes the buyer to be present at a renewal',
        "const isPresent = job.kind !== 'renewal' || job.asked",
        'const isPresent = true',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/pending-charges.ts',
    ['tests/unit/book-post.test.ts', 'tests/unit/book-stuck.test.ts', book],
    [
      ['L11', 'a silent gateway is asked every 5 s', 'Math.max(SOONEST_MS, asked_at - begun_at)', 'SOONEST_MS'],
      [
        'L12',
        'a renewal is booked while a charge is under way',
        "if (open.some(({ parked, stuck }) => !parked && !stuck)) return book.ids('subscription')",
        '',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/invoices.ts',
    [bills],
    [
      ['L13', 'two bills have one number', "book.next('invoices')", "book.count('invoices') + 1"],
      [
        'L14',
        'a credit note names the bill of another plan',
        "kind === 'invoice' && subscription_id === subscriptionId",
        "kind === 'invoice'",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/idempotency-keys.ts',
    ['tests/unit/book-licences.test.ts', leaving],
    [
      [
        'L15',
        'a key with another body has the first answer',
        'stored.hash === hash && stored.answer !== null ?',
        'stored.answer !== null ?',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/payment-methods.ts',
    [gifts],
    [['L16', 'the last card of a plan that renews is removed', '!isGood(record) || !pays', '!isGood(record) || pays']],
  ),
  ...createMutants(
    'provider/billing/ledger/refunds.ts',
    [leaving, 'tests/unit/book-whole-refund.test.ts'],
    [
      ['L17', 'a refund goes to the oldest charge', 'b.begun_at - a.begun_at', 'a.begun_at - b.begun_at'],
      ['L18', 'a charge is refunded twice', 'charge.cents - sumRefunds(book, charge.charge_id)', 'charge.cents'],
      ['L19', 'the card gets back what the balance paid', 'const part = Math.min(left, open)', 'const part = left'],
      ['L30', 'a whole refund leaves collected money on the balance', 'isWhole && open > cents ?', 'false ?'],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/balance.ts',
    ['tests/unit/book-whole-refund.test.ts', 'tests/unit/book-closing.test.ts'],
    [
      [
        'L31',
        'promotional credit is paid out',
        "if (kind === 'credit') promotional += change",
        "if (kind === 'credit') collected += change",
      ],
      [
        'L32',
        'credit that paid a plan comes back as money',
        'Math.min(change, promotionalBySubscription.get(subject) ?? 0)',
        '0',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/account-closing.ts',
    ['tests/unit/book-closing.test.ts'],
    [
      ['L33', 'showing what a deletion refunds does it', 'throw new Rehearsed(work())', 'return work()'],
      ['L34', 'the balance of a deleted account is kept', 'if (balance === 0) return', 'if (balance >= 0) return'],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/billing-service.ts',
    [book],
    [
      [
        'L20',
        'a quote of another account is taken',
        'if (sealed && sealed.user !== this.ctx.book.account) return ledgerError(403, 403)',
        '',
      ],
    ],
  ),
]

const RENEWALS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [book, gifts, pausing],
    [
      [
        'R1',
        'a period that was given counts as two',
        'months: monthsAfter(subscription) },',
        'months: monthsAfter(subscription) + 1 },',
      ],
      ['R2', 'the last retry is left out', 'if (tries > RETRY_DAYS.length)', 'if (tries >= RETRY_DAYS.length)'],
      [
        'R4',
        'free months without a card become past due',
        'return subscription.free && defaultMethod(book) === null',
        'return false',
      ],
      [
        'R6',
        'a plan of another channel is charged',
        "subscription.channel !== 'web' || ctx.gateway === null",
        'ctx.gateway === null',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-rules.ts',
    [book, open],
    [
      [
        'R8',
        'the last retry may not be late',
        'now > accessEndsAt(subscription) + LATE_MS',
        'now > accessEndsAt(subscription)',
      ],
      ['R9', 'a plan that is declined late has fewer days of grace', 'overdue?.since ?? until', 'until'],
      [
        'R10',
        'a change for the next period is forgotten',
        '= subscription.scheduled ?? subscription',
        '= subscription',
      ],
      [
        'R11',
        'a short month shortens all that follow',
        'addMonths(subscription.anchor, subscription.months + monthsInPeriod(nextSelection(subscription).period))',
        'addMonths(subscription.until, monthsInPeriod(nextSelection(subscription).period))',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [leaving],
    [
      [
        'R5',
        'a canceled plan is renewed',
        "if (subscription.status === 'cancelled' || subscription.status === 'trial') return true",
        "if (subscription.status === 'trial') return true",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/renewals.ts',
    [open],
    [['R7', 'a charge that failed names no reason', "code: why?.code ?? ''", "code: ''"]],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-rules.ts',
    [pausing],
    [
      [
        'R3',
        'a renewal that is a day late is given',
        'nextUntil(subscription) <= now',
        'subscription.until + DAY_MS <= now',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/reminders.ts',
    [open],
    [['R12', 'the notice of an annual renewal comes only 3 days ahead', 'renewal_ahead: 30', 'renewal_ahead: 3']],
  ),
]

/** Money in the provider: provider/money and the book. */
export const LEDGER: readonly Mutant[] = [...MONEY, ...BOOK, ...RENEWALS]
