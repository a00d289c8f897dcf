import type { Binding } from '../../../contract/billing/licenses.ts'
import { planOf } from '../../../contract/billing/plan-catalog.ts'

const count = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`

/** What covers a camera and how long that keeps what it records. `unused`: licences of the account that no camera has. */
export function planSentence({ plan, keeps_days }: Binding, isOwn: boolean, unused: number): string {
  const kept = `Recordings are kept for ${count(keeps_days, 'day')}.`
  if (plan === null) {
    const free = isOwn && unused > 0 && `You have ${count(unused, 'licence')} that no camera uses.`
    return ['No plan covers this camera.', kept, free].filter(Boolean).join(' ')
  }
  const { name } = planOf(plan.sku)
  const reach = !isOwn ? ' of its owner' : plan.by === 'home' ? ', for every camera of this home' : ', for this camera'
  return `${name}${reach}. ${kept}`
}
