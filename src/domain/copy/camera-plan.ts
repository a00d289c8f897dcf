import type { Binding } from '../../../contract/billing/licenses.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'

const formatCount = (number: number, singular: string) => `${number} ${number === 1 ? singular : `${singular}s`}`

/**
 * Names the plan of a camera and its retention period. `unused`: number of the account's licenses that no camera uses.
 */
export function formatCameraPlan({ plan, keeps_days }: Binding, isOwn: boolean, unused: number): string {
  const retention = `Recordings are kept for ${formatCount(keeps_days, 'day')}.`
  if (plan === null) {
    const free = isOwn && unused > 0 && `You have ${formatCount(unused, 'licence')} that no camera uses.`
    return ['No plan covers this camera.', retention, free].filter(Boolean).join(' ')
  }
  const { name } = getPlan(plan.sku)
  const coverage = !isOwn
    ? ' of its owner'
    : plan.by === 'home'
      ? ', for every camera of this home'
      : ', for this camera'
  return `${name}${coverage}. ${retention}`
}
