"""Checks of rendered and dressed people, on a mesh of two spheres."""

import numpy as np
import pytest

from gesturetrain import people, scene


def sphere(centre, radius, rings=24, sides=32):
    """-> vertices, quads (0-based) of a closed sphere, its outside counter-clockwise."""
    up, around = np.meshgrid(np.linspace(-np.pi / 2, np.pi / 2, rings + 1), np.arange(sides) * 2 * np.pi / sides, indexing="ij")
    points = np.stack([np.cos(up) * np.sin(around), np.sin(up), np.cos(up) * np.cos(around)], -1).reshape(-1, 3)
    quads = [(r * sides + s, r * sides + (s + 1) % sides, (r + 1) * sides + (s + 1) % sides, (r + 1) * sides + s)
             for r in range(rings) for s in range(sides)]
    return np.asarray(centre) + radius * points, np.array(quads)


@pytest.fixture(scope="module")
def body(tmp_path_factory):
    """A head and a trunk where the mesh has them, with eyes and hair."""
    groups = [("body", [((0, 7.2, 0.5), 1.1), ((0, 4.2, 0.3), 1.6)]), ("joint-head", [((0, 7.0, 0.2), 0.05)]), ("helper-hair", [((0, 7.5, -0.3), 1.0)]),
              ("helper-l-eye", [((0.305, 7.285, 1.25), 0.14)]), ("helper-r-eye", [((-0.305, 7.285, 1.25), 0.14)])]
    lines, count = [], 1
    for name, spheres in groups:
        for centre, radius in spheres:
            vertices, quads = sphere(centre, radius)
            lines += [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices]
            lines += [f"g {name}", *("f " + " ".join(f"{i + count}/1" for i in quad) for quad in quads)]
            count += len(vertices)
    path = tmp_path_factory.mktemp("mesh") / "base.obj"
    path.write_text("\n".join(lines))
    return people.Body(path)


def test_a_person_is_a_function_of_the_seed(body):
    a, b, c = (people.render(body, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert a.shape == (256, 256, 3) and a.dtype == np.uint8
    assert (a == b).all() and (a != c).any()


def test_every_person_has_clothes_and_a_face_at_the_common_level(body):
    for seed in range(8):
        gray, alpha, part = people.render(body, np.random.default_rng(seed)).transpose(2, 0, 1)
        inside = alpha == 255
        face = inside & (part == people.SKIN_PART) & (np.arange(256)[:, None] < 110)
        assert 100 < np.median(gray[face]) < 225
        assert (inside & (part == people.CLOTH)).sum() > 1000 < face.sum()


def test_clothes_and_skin_take_their_codes_and_hair_keeps_its_own(body):
    rendered = people.render(body, np.random.default_rng(5))
    part, inside = rendered[..., 2], rendered[..., 1] == 255

    def level(kind, skin, cloth):
        sprite = scene.dressed_person(np.random.default_rng(1), skin, cloth, rendered)
        return sprite[..., 0][inside & (part == kind)].astype(float).mean()

    assert level(people.SKIN_PART, 60, 100) / level(people.SKIN_PART, 120, 100) == pytest.approx(0.5, abs=0.1)
    assert level(people.CLOTH, 100, 40) / level(people.CLOTH, 100, 80) == pytest.approx(0.5, abs=0.1)


def test_a_bust_reaches_below_the_frame():
    for seed in range(50):
        person = scene.Person(np.random.default_rng(seed), None, bust=True)
        assert person.y + 0.45 * person.size > 1.0
