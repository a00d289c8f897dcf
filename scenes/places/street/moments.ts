import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/delivery': [
    { at: 8.2, text: 'A white van drives along the snowy road past two parked cars and pulls up by the kerb.' },
    {
      at: 18.8,
      text: 'A courier in a blue jacket, blue cap and black trousers carries a cardboard box to the red door opposite.',
    },
    { at: 24, text: 'A courier in a blue cap walks back over the snow and goes round behind the white van.' },
    { at: 30.8, text: 'A white van drives off over the snowy road.' },
  ],
  'day/cyclist': [
    {
      at: 7.4,
      text: 'A cyclist in a lime top, black trousers and grey helmet rides along the snowy road past the parked cars.',
    },
    { at: 10.4, text: 'A silver estate car meets a cyclist in lime on a lime bicycle on the snowy road.' },
  ],
  'day/dog-walk': [
    { at: 8.6, text: 'A woman in a red coat and black trousers walks a golden dog along the near snowy pavement.' },
    { at: 12.2, text: 'A woman with ginger hair and a red buttoned coat follows a golden dog on a red lead.' },
  ],
  'day/sledge': [
    {
      at: 6.4,
      text: 'A man with dark hair in a grey jacket pulls a child in yellow on a wooden sledge past a snowman.',
    },
    {
      at: 13.4,
      text: 'A man in black trousers draws a sledge with a child along the snowy pavement behind a parked blue car.',
    },
  ],
  'dusk/cyclist': [
    { at: 7.6, text: 'A cyclist in a bright yellow top and a helmet rides down the road between strips of snow.' },
    { at: 10.6, text: 'A silver estate car drives up the snowy road past somebody in yellow on a bicycle.' },
  ],
  'night/cars': [
    { at: 7.9, text: 'A pale car with dazzling headlights drives past the parked cars and down the snowy road.' },
    { at: 9.8, text: 'A pale car and a dark car pass each other, their headlights sweeping over the snow.' },
  ],
  'night/walk': [
    { at: 8.6, text: 'An estate car with bright headlights drives by as somebody walks along the far snowy pavement.' },
    { at: 12.2, text: 'Somebody in a pale coat and dark trousers walks past the snowman and the street lamp.' },
  ],
  'night/fox': [
    { at: 9.6, text: 'A fox stops in the middle of the snowy road and turns its head to look round.' },
    { at: 13.5, text: 'A fox with dark legs and a bushy tail trots down the road between streaks of snow.' },
  ],
}
