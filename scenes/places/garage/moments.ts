import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/arrive': [
    { at: 2.2, text: 'The wide panelled door rolls up.' },
    { at: 6.4, text: 'A green car turns in from the road towards the open door.' },
    {
      at: 18.2,
      text: 'A man with ginger hair, a beard and a green jumper reaches over the workbench beside a green car.',
    },
    { at: 25.3, text: 'A green car backs out through the open door onto the drive and away.' },
  ],
  'day/bike': [
    { at: 2.2, text: 'The wide door rolls up.' },
    { at: 4.8, text: 'A child in a blue top and yellow helmet rides across the floor.' },
    { at: 6.9, text: 'A child in a blue top and yellow helmet rides a pink bike out through the door.' },
  ],
  'day/bench': [
    {
      at: 9.6,
      text: 'A man with ginger hair, a grey jumper and brown trousers hammers at the workbench by the window.',
    },
    { at: 15.6, text: 'A man with a ginger beard and glasses walks back from the workbench, a hammer in his hand.' },
  ],
  'day/cat': [
    { at: 7.2, text: 'A black cat with white paws walks along the workbench below the window.' },
    { at: 12.4, text: 'A black cat with white paws sits by the red box on the workbench, then jumps down.' },
  ],
  'dusk/bench': [
    { at: 9.8, text: 'A man with ginger hair in a pale grey jumper swings a hammer at the workbench.' },
    {
      at: 15.5,
      text: 'A man with a beard and brown trousers turns from the workbench and walks off holding a hammer.',
    },
  ],
  'night/arrive': [
    { at: 2.2, text: 'The wide door rolls up.' },
    { at: 6.2, text: 'A car with glaring headlights turns in from the road towards the open door.' },
    { at: 10.4, text: 'A car drives in and its headlights fill the garage.' },
    { at: 18, text: 'A man in a pale top and pale trousers reaches out to the workbench beside the parked car.' },
    { at: 25.4, text: 'A car backs out through the open door, its headlights flooding the floor and the workbench.' },
  ],
  'night/torch': [
    { at: 6.9, text: 'A man in a pale jumper stands at the workbench and sweeps a torch beam over the closed door.' },
    { at: 14.8, text: 'A man with a beard and glasses walks back over the floor with a lit torch in his hand.' },
  ],
  'night/cat': [
    { at: 7.2, text: 'A cat with pale paws jumps up and stalks along the workbench under the dark window.' },
    {
      at: 12.4,
      text: 'A cat sits on the workbench with shining eyes, then jumps down to the floor with its tail raised.',
    },
  ],
}
