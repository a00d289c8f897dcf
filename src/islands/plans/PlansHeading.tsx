import type { ReactNode } from 'react'

/** Title of the chooser and a sentence below, with the billing period beside them. */
export function PlansHeading({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="plans-head">
      <div>
        <h2 className="heading">Choose a plan</h2>
        <p className="text-ink-2 mt-1">{sentence}</p>
      </div>
      {children}
    </div>
  )
}

/** Stands where the cards will be, and fills the first screen of a phone. */
export const PlanCardsSkeleton = () => (
  <div className="plans-waiting skeleton" role="img" aria-label="Loading plans" aria-busy="true" />
)
