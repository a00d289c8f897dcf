import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/sill': [
    { at: 6.9, text: 'A ginger cat with white paws crosses the patterned rug and jumps up to the window.' },
    { at: 10.6, text: 'A ginger cat sits on the window sill with its back to the room, looking out at the garden.' },
  ],
  'day/robot': [
    { at: 8, text: 'A ginger cat sits on a round black robot hoover gliding over the wooden floor below the window.' },
    { at: 13.7, text: 'A ginger cat with white paws and a raised tail rides a black robot hoover past the blue sofa.' },
  ],
  'day/company': [
    {
      at: 5.6,
      text: 'A man with ginger hair and beard in a green jumper carries a white mug and sits down on the sofa.',
    },
    { at: 19, text: 'A bearded man with a white mug on the blue sofa strokes the ginger cat beside him.' },
    {
      at: 33.8,
      text: 'A man in a green jumper and beige trousers leaves past the bookcase with his mug, the ginger cat following.',
    },
  ],
  'day/nap': [
    { at: 6.2, text: 'A ginger cat with white paws jumps up on the blue sofa and turns round by the white cushion.' },
    { at: 12.8, text: 'A ginger cat napping on the blue sofa wakes, stands up and jumps down onto the floor.' },
  ],
  'dusk/nap': [
    { at: 5.8, text: 'A ginger cat walks in over the rug past the wooden table and hops up on the blue sofa.' },
    { at: 10.8, text: 'A ginger cat lies flat on the blue sofa between the yellow cushion and the white one.' },
  ],
  'night/dash': [
    { at: 3.8, text: 'A pale cat leaps onto the arm of the sofa and races along the seat.' },
    { at: 7.2, text: 'A pale cat with shining eyes jumps from the rug onto the low table and sits down by a book.' },
  ],
  'night/torch': [
    { at: 7.4, text: 'A woman with long dark hair and a pale coat shines a torch on the bookcase beside the sofa.' },
    { at: 13.3, text: 'A woman in a pale buttoned coat carries a lit torch and a dark book under her arm.' },
  ],
  'night/sill': [
    { at: 7.9, text: 'A pale cat walks over the floor to the wall and springs up onto the window sill.' },
    { at: 11.8, text: 'A pale cat sits on the window sill with its back turned, staring out through the dark window.' },
  ],
}
