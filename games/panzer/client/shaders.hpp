#pragma once
// The shaders, GLSL 3.30. All read the block Frame (FrameConstants).

namespace fray::panzer::client::shaders {

inline constexpr const char* kHeader = R"(#version 330 core
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 from_clip;
    mat4 sun;
    vec4 eye;
    vec4 sun_direction;
    vec4 right;
    vec4 up;
    vec4 fog;
};
const vec3 kSkyTop = vec3(0.58, 0.76, 0.91);
const vec3 kHorizon = vec3(0.949, 0.914, 0.847);
)";

inline constexpr const char* kMeshVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 smooth_normal;
layout(location = 3) in vec4 paint;
layout(location = 4) in vec4 row0;
layout(location = 5) in vec4 row1;
layout(location = 6) in vec4 row2;
layout(location = 7) in vec4 tint;
uniform int pass;  // as Pass
out vec3 world;
out vec3 facing;
out vec3 local;
out vec4 colour;
out vec4 tinted;
vec3 placed(vec4 p) { return vec3(dot(row0, p), dot(row1, p), dot(row2, p)); }
void main() {
    world = placed(vec4(position, 1));
    facing = placed(vec4(normal, 0));
    local = position;
    colour = paint;
    tinted = tint;
    if (pass == 0) {
        gl_Position = sun * vec4(world, 1);
        return;
    }
    gl_Position = view_projection * vec4(world, 1);
    if (pass == 2) {  // outward by the same number of pixels at every distance, up to a limit
        vec3 out_normal = normalize(placed(vec4(smooth_normal, 0)));
        float far = distance(world, eye.xyz);
        world += out_normal * clamp(far * 0.0022, 0.012, 0.05);
        gl_Position = view_projection * vec4(world, 1);
    }
}
)";

inline constexpr const char* kMeshFragment = R"(
in vec3 world;
in vec3 facing;
in vec3 local;
in vec4 colour;
in vec4 tinted;
uniform int pass;
uniform sampler2DShadow shadows;
out vec4 result;
float sunlight(vec3 n) {
    vec4 at = sun * vec4(world + n * 0.08, 1);
    vec3 p = at.xyz * 0.5 + 0.5;
    if (any(lessThan(p, vec3(0))) || any(greaterThan(p, vec3(1)))) return 1.0;
    p.z -= 0.0012;
    if (fog.w < 0.5) return texture(shadows, p);
    float texel = 0.8 / float(textureSize(shadows, 0).x);
    float sum = texture(shadows, p + vec3(-texel, -0.5 * texel, 0));
    sum += texture(shadows, p + vec3(0.5 * texel, -texel, 0));
    sum += texture(shadows, p + vec3(texel, 0.5 * texel, 0));
    sum += texture(shadows, p + vec3(-0.5 * texel, texel, 0));
    return sum * 0.25;
}
void main() {
    if (pass == 0) return;
    float far = distance(world, eye.xyz);
    float haze = clamp((far - fog.x) / (fog.y - fog.x), 0.0, 1.0);
    haze = haze * haze * 0.92;
    if (pass == 2) {
        result = vec4(mix(vec3(0.13, 0.12, 0.14), kHorizon, haze), 1);
        return;
    }
    int kind = int(colour.a * 255.0 + 0.5);
    vec3 n = normalize(facing);
    if (pass == 3) {  // a faint shell, denser at its rim, of facets
        float rim = 1.0 - abs(dot(n, normalize(eye.xyz - world)));
        result = vec4(tinted.rgb, 1) * tinted.a * (0.25 + rim);
        return;
    }
    vec3 base = colour.rgb;
    if (kind == 1) base *= tinted.rgb;
    if (kind == 2) {
        result = vec4(mix(base, kHorizon, haze), 1);
        return;
    }
    if (kind == 3) {
        float along = local.z > 0.42 ? local.x - tinted.a : local.x + tinted.a;
        base *= fract(along * 2.4) < 0.45 ? 0.62 : 1.12;
    }
    if (kind == 4) {
        vec2 line = abs(fract(world.xy / 10.0 - 0.5) - 0.5) * 10.0;
        float width = 0.05 + far * 0.0012;
        float tile = 1.0 - smoothstep(width, width * 2.0, min(line.x, line.y));
        base *= 1.0 - 0.13 * tile * clamp(1.0 - far / 110.0, 0.0, 1.0);
        vec2 square = floor(world.xy / 10.0 + 0.5);
        base *= mod(square.x + square.y, 2.0) < 0.5 ? 1.0 : 0.972;
    }
    float lit = smoothstep(0.0, 0.10, dot(n, sun_direction.xyz));
    if (lit > 0.0) lit *= sunlight(n);
    float grade = 0.82 + 0.18 * smoothstep(0.45, 0.55, dot(n, sun_direction.xyz));
    vec3 shade = mix(vec3(0.47, 0.43, 0.47), vec3(0.55, 0.58, 0.70), n.z * 0.5 + 0.5);
    vec3 shown = base * (shade + lit * grade * vec3(0.60, 0.53, 0.37));
    result = vec4(mix(shown, kHorizon, haze), 1);
}
)";

inline constexpr const char* kSkyVertex = R"(
out vec3 ray;
void main() {
    vec2 corner = vec2(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0);
    vec4 far = from_clip * vec4(corner, 1, 1);
    ray = far.xyz / far.w - eye.xyz;
    gl_Position = vec4(corner, 1, 1);
}
)";

inline constexpr const char* kSkyFragment = R"(
in vec3 ray;
out vec4 result;
void main() {
    vec3 d = normalize(ray);
    vec3 sky = mix(kHorizon, kSkyTop, smoothstep(0.0, 0.38, d.z));
    float sunny = max(dot(d, sun_direction.xyz), 0.0);
    sky += vec3(0.22, 0.15, 0.05) * pow(sunny, 12.0);
    sky = mix(sky, vec3(1.0, 0.97, 0.86), smoothstep(0.9980, 0.9984, sunny));
    if (d.z > 0.04) {  // flat clouds with a firm edge
        vec2 p = d.xy / (d.z + 0.08) * 0.9 + fog.z * 0.004;
        float n = sin(p.x * 1.7 + sin(p.y * 1.3) * 1.2) * sin(p.y * 2.1 + sin(p.x * 0.9)) +
                  0.45 * sin(p.x * 4.3 + 1.0) * sin(p.y * 5.1 + p.x);
        float cloud = smoothstep(0.52, 0.58, n) * smoothstep(0.04, 0.16, d.z);
        sky = mix(sky, vec3(1.0, 0.985, 0.95), cloud * 0.6);
    }
    result = vec4(sky, 1);
}
)";

inline constexpr const char* kSpriteVertex = R"(
layout(location = 0) in vec4 place;  // and half of the width
layout(location = 1) in vec4 paint;
layout(location = 2) in vec4 form;  // angle, stretch, shape
out vec2 at;
out vec4 colour;
flat out int shape;
void main() {
    at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    colour = paint;
    shape = int(form.z + 0.5);
    vec3 p = place.xyz;
    if (shape >= 2) {
        vec2 along = vec2(cos(form.x), sin(form.x));
        vec2 side = vec2(-along.y, along.x);
        p.xy += (along * at.x * form.y + side * at.y) * place.w;
    } else {
        p += (right.xyz * at.x + up.xyz * at.y) * place.w;
    }
    gl_Position = view_projection * vec4(p, 1);
}
)";

inline constexpr const char* kSpriteFragment = R"(
in vec2 at;
in vec4 colour;
flat in int shape;
out vec4 result;
void main() {
    float r = length(at);
    float mask = 1.0;
    vec3 light = vec3(1);
    if (shape == 0) {
        if (r > 1.0) discard;
        mask = 1.0 - smoothstep(0.86, 1.0, r);
        light = vec3(dot(at, vec2(-0.5, 0.75)) > 0.05 ? 1.0 : 0.8);
    } else if (shape == 1) {
        mask = max(0.0, 1.0 - r);
        mask = mask > 0.55 ? 1.0 : mask * mask * 2.4;
    } else if (shape == 3) {
        mask = 1.0 - smoothstep(0.05, 0.12, abs(r - 0.85));
    }
    result = vec4(colour.rgb * light, colour.a) * mask;
}
)";

inline constexpr const char* kBeamVertex = R"(
layout(location = 0) in vec4 from_width;
layout(location = 1) in vec4 to_fade;
layout(location = 2) in vec4 paint;
out vec4 colour;
out float across;
void main() {
    bool is_end = (gl_VertexID & 1) == 1;
    across = float(gl_VertexID >> 1) * 2.0 - 1.0;
    vec3 p = is_end ? to_fade.xyz : from_width.xyz;
    vec3 along = to_fade.xyz - from_width.xyz;
    vec3 side = normalize(cross(along, eye.xyz - p) + vec3(1e-6));
    float width = max(from_width.w, distance(p, eye.xyz) * 0.0016);
    p += side * across * width;
    colour = paint * (is_end ? 1.0 : 1.0 - to_fade.w);
    gl_Position = view_projection * vec4(p, 1);
}
)";

inline constexpr const char* kBeamFragment = R"(
in vec4 colour;
in float across;
out vec4 result;
void main() { result = colour * (1.0 - 0.6 * abs(across)); }
)";

inline constexpr const char* kPresentVertex = R"(
out vec2 at;
void main() {
    vec2 corner = vec2(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0);
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0, 1);
}
)";

inline constexpr const char* kPresentFragment = R"(
in vec2 at;
uniform sampler2D scene;
out vec4 result;
void main() { result = vec4(texture(scene, at).rgb, 1); }
)";

}  // namespace fray::panzer::client::shaders
