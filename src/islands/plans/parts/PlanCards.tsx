import { useStore } from '@nanostores/react'
import { CURRENCY } from '../../../../contract/billing/amounts.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { findCheapestPlan } from '../../../domain/billing/plan-comparison.ts'
import { PLAN_CARDS, type PlanCardSku } from '../../../domain/copy/plan-cards.ts'
import { planAction, planNote, suggestionText, type OwnPlan } from '../../../domain/copy/plan-offers.ts'
import { $catalog, isPlanOnSale, listPlanPrices } from '../../../stores/billing/plan-catalog.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { $ownCameraPlan, $otherCameraPlans } from '../../../stores/billing/current-plans.ts'
import { $planSimulation } from '../../../stores/billing/plan-simulation.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { PlanCardsSkeleton } from '../PlansHeading.tsx'
import { PlanCard } from './PlanCard.tsx'

/** Returns the camera plan of the account; a plan bought in this portal comes first. */
function useOwnPlan(): OwnPlan {
  const { state } = useStore($subscriptions, { ssr: 'initial' })
  const [portalPlan, otherPlans] = [useStore($ownCameraPlan), useStore($otherCameraPlans)]
  return state === 'ready' ? (portalPlan ?? otherPlans[0] ?? null) : 'loading'
}

/** Returns the plan to suggest, with the reason; null without cameras, and if the account has this or a larger plan. */
export function useSuggestion(period: Period): { sku: PlanCardSku; label: string; text: string } | null {
  const prices = listPlanPrices(useStore($catalog))
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const simulation = useStore($planSimulation)
  const own = useOwnPlan()
  const cameras = simulation.state === 'ready' ? simulation.cameras : 0
  const best = findCheapestPlan(cameras, prices, period)
  const ownSku = own === 'loading' ? 'pro' : own?.sku
  if (best === null || ownSku === 'unlimited' || ownSku === 'pro' || ownSku === best.sku) return null
  const label = `Best for your ${cameras === 1 ? 'camera' : `${cameras} cameras`}`
  return { sku: best.sku, label, text: suggestionText(best, cameras, currency) }
}

/** One card per plan, in the order of the home page: price, own plan, suggestion, and clips that it would have kept. */
export function PlanCards({ period, now }: { period: Period; now: number }) {
  const catalog = useStore($catalog)
  // Hydrates with the prerendered currency, because the browser's storage may contain a different one.
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const simulation = useStore($planSimulation)
  const { state } = useStore($subscriptions, { ssr: 'initial' })
  const own = useOwnPlan()
  const suggestion = useSuggestion(period)
  // The own plan comes first on phones.
  if (state === 'loading') return <PlanCardsSkeleton />
  const prices = listPlanPrices(catalog)
  const ownRow = simulation.state === 'ready' ? simulation.plans.find(({ is_own }) => is_own) : undefined
  const covered = own !== null && own !== 'loading' && ownRow?.sku === own.sku ? ownRow.cameras : null
  const ownSku = own === 'loading' ? null : (own?.sku ?? 'free')
  return (
    <ul className="prices">
      {PLAN_CARDS.map((card) => (
        <PlanCard
          key={card.sku}
          card={card}
          period={period}
          currency={currency}
          price={prices[card.sku][period]}
          isOwn={card.sku === ownSku}
          suggestion={suggestion?.sku === card.sku ? suggestion : null}
          note={planNote(card.sku, { own, period, prices, currency, covered, now })}
          action={planAction(card.sku, own, { period, isOnSale: isPlanOnSale(catalog, card.sku), now })}
          ownId={own === null || own === 'loading' ? '' : own.subscription_id}
        />
      ))}
    </ul>
  )
}
