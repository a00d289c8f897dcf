import type { LucideIcon } from 'lucide-react'
import Clock from 'lucide-react/icons/clock'
import List from 'lucide-react/icons/list'
import Sparkles from 'lucide-react/icons/sparkles'
import { NoCameraMessage } from '../../../ui/NoCamera.tsx'

const FACTS: readonly { readonly Icon: LucideIcon; readonly title: string; readonly text: string }[] = [
  { Icon: List, title: 'Every event, day by day', text: 'See when each one happened, with a picture and a clip.' },
  {
    Icon: Clock,
    title: 'A strip of the whole day',
    text: 'See when each camera recorded, slept, or was offline. Zoom in for a closer look.',
  },
  {
    Icon: Sparkles,
    title: 'Search in your own words',
    text: '“Person with a box at the front door.” Included in plans with AI search.',
  },
]

/** Events page of an account without cameras: next steps, and what the page shows after the first camera. */
export function NoEventsYet() {
  return (
    <section
      aria-label="Events"
      className="text-ink-2 [&_h1]:text-ink flex flex-col items-center gap-2.5 px-6 pt-16 pb-12 text-center"
    >
      <NoCameraMessage as="h1">Add a camera to start seeing events.</NoCameraMessage>
      <ul className="panel mt-8 grid w-full max-w-[1028px] gap-6 p-6 text-left md:grid-cols-3">
        {FACTS.map(({ Icon, title, text }) => (
          <li key={title} className="flex gap-3.5">
            <span className="bg-primary-soft text-primary-ink grid size-10 flex-none place-items-center rounded-[12px]">
              <Icon size={20} aria-hidden />
            </span>
            <div>
              <h2 className="text-ink text-[16px]! leading-[22px]!">{title}</h2>
              <p className="text-small mt-0.5">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
