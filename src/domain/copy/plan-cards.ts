import { HOME_MONITORING, IS_PRO_ON_SALE, SAMPLE_NOTE } from '../../../contract/brand.ts'
import { CURRENCY, getCurrencyName } from '../../../contract/billing/amounts.ts'
import type { Period } from '../../../contract/billing/money.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { formatDayCount } from './counts.ts'

/** Plans with a price card, in the order of every page. */
export const PLAN_CARD_SKUS = ['free', 'cam-ai', 'unlimited', 'pro'] as const satisfies readonly Sku[]
export type PlanCardSku = (typeof PLAN_CARD_SKUS)[number]

export interface PlanCard {
  readonly sku: PlanCardSku
  readonly name: string
  /** One line below the name. */
  readonly sentence: string
  /** Cameras that the price is for. */
  readonly scope: string
  readonly features: readonly string[]
  /** False if the brand does not sell the plan yet. */
  readonly isOnSale: boolean
}

/** Returns a plan's name without a final `Cameras`, for narrow buttons and rows. */
export const shortPlanName = (sku: Sku): string => getPlan(sku).name.replace(/ Cameras$/, '')

const ALL_EVENT_TYPES = 'All event types and faces'
const clipDays = (sku: Sku) => `${formatDayCount(getPlan(sku).keepsDays ?? 0)} of clips`

type CardTexts = Pick<PlanCard, 'sentence' | 'scope' | 'features'>
const CARD_TEXTS: Readonly<Record<PlanCardSku, CardTexts>> = {
  free: {
    sentence: 'Live video without a credit card.',
    scope: 'all cameras',
    features: ['Live video from all cameras', clipDays('free'), 'Share a camera'],
  },
  'cam-ai': {
    sentence: 'Pay for the cameras you choose.',
    scope: 'per camera',
    features: [clipDays('cam-ai'), 'Search your chosen cameras', ALL_EVENT_TYPES],
  },
  unlimited: {
    sentence: 'Every camera, one price.',
    scope: 'all cameras',
    features: [clipDays('unlimited'), 'Search up to 99 cameras', ALL_EVENT_TYPES],
  },
  pro: {
    sentence: 'Every camera, longest history.',
    scope: 'all cameras',
    features: [clipDays('pro'), `Everything in ${shortPlanName('unlimited')}`],
  },
}

/** Texts of the price cards on the home page and in the plan chooser. Prices are separate: see contract/billing. */
export const PLAN_CARDS: readonly PlanCard[] = PLAN_CARD_SKUS.map((sku) => ({
  sku,
  name: getPlan(sku).name,
  ...CARD_TEXTS[sku],
  isOnSale: sku !== 'pro' || IS_PRO_ON_SALE,
}))

/** Formats the unit of a price: `a month, per camera`. The free plan has no billing period. */
export const formatPriceUnit = ({ sku, scope }: PlanCard, period: Period): string =>
  sku === 'free' ? scope : `${period === 'annual' ? 'a year' : 'a month'}, ${scope}`

export const PRICE_NOTE = `Prices are in ${getCurrencyName(CURRENCY, 'many')}, before sales tax. You’ll see the total before you pay. Cancel anytime.`

/**
 * Row below the cards. Without a description, the brand has no such service, and the row shows neither a price nor a
 * button.
 */
export const HOME_MONITORING_ROW = {
  name: getPlan('hms').name,
  sentence: `${HOME_MONITORING?.does ?? SAMPLE_NOTE} Camera plans don’t include or require this service.`,
  hasService: HOME_MONITORING !== null,
} as const
