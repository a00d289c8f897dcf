import { PLANS, type Sku } from '../../contract/catalogue.ts'

export type { Sku }

/** Words that belong to a plan on the plan chooser. Prices and days are the catalogue's. */
const WORDS: Record<Sku, { readonly sentence: string; readonly unit: string }> = {
  free: { sentence: 'Live view of every camera.', unit: '' },
  'cam-ai': { sentence: 'Pay for each camera you choose.', unit: 'each camera' },
  unlimited: { sentence: 'Every camera at one price.', unit: 'all cameras' },
  pro: { sentence: 'Every camera, and the longest memory.', unit: 'all cameras' },
  hms: { sentence: 'A service for the whole home.', unit: 'whole home' },
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const inMoney = (cents: number) => money.format(cents / 100)

/** A plan as its price card shows it. */
export function priceCard(sku: Sku) {
  const plan = PLANS.find((one) => one.sku === sku)
  if (!plan) throw new Error(`No plan ${sku} in the catalogue.`)
  const { monthlyCents, annualCents, name, keepsDays } = plan
  return {
    ...WORDS[sku],
    name,
    keepsDays,
    monthly: inMoney(monthlyCents),
    annual: inMoney(annualCents),
    saving: inMoney(monthlyCents * 12 - annualCents),
  }
}

/** How many cameras make the flat plan cheaper than paying for each. */
export function camerasWorthUnlimited(): number {
  const cents = (sku: Sku) => PLANS.find((one) => one.sku === sku)?.monthlyCents ?? 0
  return Math.floor(cents('unlimited') / cents('cam-ai')) + 1
}
