import { NoCameraMessage } from '../../../ui/NoCamera.tsx'

export function NoEventsYet() {
  return (
    <section
      aria-label="Events"
      className="text-ink-2 [&_h1]:text-ink flex min-h-[calc(100dvh-64px)] flex-col items-center justify-center gap-2.5 p-6 text-center"
    >
      <NoCameraMessage as="h1">Add a camera to start seeing events.</NoCameraMessage>
    </section>
  )
}
