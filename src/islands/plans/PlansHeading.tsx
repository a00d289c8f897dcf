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
