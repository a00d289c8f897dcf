import type { Binding } from '../../../contract/billing/licenses.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'

const formatCount = (number: number, singular: string) => `${number} ${number === 1 ? singular : `${singular}s`}`

/**
 * Names the plan of a camera and its retention period. `unused`: number of the account's licenses that no camera uses.
 */
export function formatCameraPlan({ plan, keeps_days }: Binding, isOwn: boolean, unused: number): string {
  const retention = `clips kept for ${formatCount(keeps_days, 'day')}.`
  if (plan === null) {
    const free = isOwn && unused > 0 && `You have ${formatCount(unused, 'unused license')}.`
    return [`Free plan: ${retention}`, free].filter(Boolean).join(' ')
  }
  const { name } = getPlan(plan.sku)
  const coverage = !isOwn
    ? ' (the owner’s plan)'
    : plan.by === 'home'
      ? ' for every camera in this home'
      : ' for this camera'
  return `${name}${coverage}: ${retention}`
}
