import Cctv from 'lucide-react/icons/cctv'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sparkles from 'lucide-react/icons/sparkles'
import { getPlan } from '../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../contract/billing/skus.ts'

/** Icon of a paid plan: the same one on every page. */
export function PlanIcon({ sku, size = 22 }: { sku: Sku; size?: number }) {
  const { tier, per } = getPlan(sku)
  const Icon = tier === null ? ShieldCheck : per === 'camera' ? Sparkles : Cctv
  return <Icon size={size} aria-hidden="true" />
}
